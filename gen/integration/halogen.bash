# Completion for bash.  Commands, options and their values are those that the help of the halogen in question tells.

# The commands, one a line.
_halogen_commands() {
    "$1" --help 2>/dev/null | sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'
}

# Offers what a word of the help stands for, as DIR or text|json.
_halogen_offer() {
    case $1 in
    DIR) mapfile -t COMPREPLY < <(compgen -d -- "$word") ;;
    FILE) mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
    SPEC | SPEC...) mapfile -t COMPREPLY < <(compgen -f -X '!*.lua' -- "$word"; compgen -d -- "$word") ;;
    '[CODE]') mapfile -t COMPREPLY < <(compgen -W "$("$halogen" diagnostic | cut -d ' ' -f 1)" -- "$word") ;;
    '[COMMAND]') mapfile -t COMPREPLY < <(compgen -W "$commands" -- "$word") ;;
    *,*) mapfile -t COMPREPLY < <(compgen -W "${1//,/ } $1" -- "$word") ;;
    *'|'*) mapfile -t COMPREPLY < <(compgen -W "${1//|/ }" -- "$word") ;;
    esac
}

_halogen() {
    local halogen=${COMP_WORDS[0]} word=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD - 1]}
    local commands command= i line name value='' operand='' words options=()
    # "--dump=plan" comes as three words.
    if [[ $word == = ]]; then
        word=
    elif [[ $option == = ]]; then
        option=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    commands=$(_halogen_commands "$halogen")
    for ((i = 1; i < COMP_CWORD && ${#command} == 0; ++i)); do
        [[ $'\n'$commands$'\n' != *$'\n'${COMP_WORDS[i]}$'\n'* ]] || command=${COMP_WORDS[i]}
    done

    # Lines such as "  -o, --output DIR           write ..."
    while IFS= read -r line; do
        if [[ $line == 'usage: '* ]]; then
            read -ra words <<<"$line"
            operand=${words[3]}
            [[ $operand != *'|'* || "|$operand|" != *"|$option|"* ]] || operand=${words[4]} # behind merge or why
        elif [[ $line == '  -'* ]]; then
            line=${line#  }
            read -ra words <<<"${line%%  *}"
            for name in "${words[@]%,}"; do
                [[ $name != -* ]] || options+=("$name")
                [[ $name != "$option" || ${words[-1]} == -* ]] || value=${words[-1]}
            done
        fi
    done < <("$halogen" help "${command:-generate}" 2>/dev/null)

    if [[ $value ]]; then
        _halogen_offer "$value"
    elif [[ $word == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "${options[*]}" -- "$word")
    else
        _halogen_offer "$operand"
        ((COMP_CWORD > 1)) || mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -W "$commands" -- "$word")
    fi
}

complete -o filenames -F _halogen halogen
