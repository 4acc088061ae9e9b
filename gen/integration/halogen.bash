# Completion for bash.  Options and their values are those that the help of the halogen in question tells.

_halogen() {
    local word=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD - 1]}
    local help line name value='' words options=()
    # "--dump=plan" comes as three words.
    if [[ $word == = ]]; then
        word=
    elif [[ $option == = ]]; then
        option=${COMP_WORDS[COMP_CWORD - 2]}
    fi

    # Lines such as "  -o, --output DIR           write ..."
    help=$("${COMP_WORDS[0]}" --help 2>/dev/null) || return
    while IFS= read -r line; do
        [[ $line == '  -'* ]] || continue
        line=${line#  }
        read -ra words <<<"${line%%  *}"
        for name in "${words[@]%,}"; do
            [[ $name != -* ]] || options+=("$name")
            [[ $name != "$option" || ${words[-1]} == -* ]] || value=${words[-1]}
        done
    done <<<"$help"

    case $value in
    DIR) mapfile -t COMPREPLY < <(compgen -d -- "$word") ;;
    NAME=VALUE) COMPREPLY=() ;;
    FILE) mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
    '[CODE]') mapfile -t COMPREPLY < <(compgen -W "$("${COMP_WORDS[0]}" --explain | cut -d ' ' -f 1)" -- "$word") ;;
    *,*) mapfile -t COMPREPLY < <(compgen -W "${value//,/ } $value" -- "$word") ;;
    ?*) mapfile -t COMPREPLY < <(compgen -W "${value//|/ }" -- "$word") ;;
    *)
        if [[ $word == -* ]]; then
            mapfile -t COMPREPLY < <(compgen -W "${options[*]}" -- "$word")
        else
            mapfile -t COMPREPLY < <(compgen -f -X '!*.lua' -- "$word"; compgen -d -- "$word")
            ((COMP_CWORD > 1)) || mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -W "generate params" -- "$word")
        fi
        ;;
    esac
}

complete -o filenames -F _halogen halogen
