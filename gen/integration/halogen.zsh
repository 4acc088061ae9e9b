#compdef halogen
# Completion for zsh.  Commands, options and their values are those that the help of the halogen in question tells.

local option=$words[CURRENT-1] line name value= operand= command=
local -a names options commands
# "--dump=plan" is one word.
if compset -P '--*='; then
    option=${IPREFIX%=}
fi

# Lines such as "  check SPEC...              evaluate ..." below "commands:".
for line in ${(f)"$($words[1] --help 2>/dev/null | sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p')"}; do
    commands+=($line)
done
for name in $words[2,CURRENT-1]; do
    [[ -n $command ]] || command=${commands[(r)$name]}
done

# Lines such as "  -o, --output DIR           write ..."
for line in ${(f)"$($words[1] help ${command:-generate} 2>/dev/null)"}; do
    if [[ $line == 'usage: '* ]]; then
        operand=${${=line}[4]}
        [[ $operand != *'|'* || "|$operand|" != *"|$option|"* ]] || operand=${${=line}[5]} # behind merge or why
    fi
    [[ $line == '  -'* ]] || continue
    line=${line#  }
    names=(${=line%%  *})
    for name in ${names%,}; do
        [[ $name != -* ]] || options+=($name)
        [[ $name != $option || $names[-1] == -* ]] || value=$names[-1]
    done
done

if [[ -z $value && $PREFIX == -* ]]; then
    compadd -- $options
    return
fi
case ${value:-$operand} in
DIR) _files -/ ;;
FILE) _files ;;
SPEC*) _files -g '*.lua' ;;
'[CODE]') compadd -- ${${(f)"$($words[1] diagnostic)"}%% *} ;;
'[COMMAND]') compadd -- $commands ;;
*,*) compadd -- ${(s:,:)value} $value ;;
*'|'*) compadd -- ${(s:|:)${value:-$operand}} ;;
esac
if [[ -z $value ]] && ((CURRENT == 2)); then
    compadd -- $commands
fi
