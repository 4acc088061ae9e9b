#compdef halogen
# Completion for zsh.  Options and their values are those that the help of the halogen in question tells.

local option=$words[CURRENT-1] line name value=
local -a names options
# "--dump=plan" is one word.
if compset -P '--*='; then
    option=${IPREFIX%=}
fi

# Lines such as "  -o, --output DIR           write ..."
for line in ${(f)"$($words[1] --help 2>/dev/null)"}; do
    [[ $line == '  -'* ]] || continue
    line=${line#  }
    names=(${=line%%  *})
    for name in ${names%,}; do
        [[ $name != -* ]] || options+=($name)
        [[ $name != $option || $names[-1] == -* ]] || value=$names[-1]
    done
done

case $value in
DIR) _files -/ ;;
FILE) _files ;;
NAME=VALUE) ;;
'[CODE]') compadd -- ${${(f)"$($words[1] --explain)"}%% *} ;;
*,*) compadd -- ${(s:,:)value} $value ;;
?*) compadd -- ${(s:|:)value} ;;
*)
    if [[ $PREFIX == -* ]]; then
        compadd -- $options
    else
        _files -g '*.lua'
        ((CURRENT > 2)) || compadd -- generate params
    fi
    ;;
esac
