# Completion for fish.  Commands, options and their values are those that the help of the halogen in question tells.

# Lines such as "  check SPEC...    evaluate ..." of the overview: "check", a tab, "evaluate ...".
function __halogen_commands
    $argv[1] --help 2>/dev/null | sed -n '/^commands:/,/^$/s/^  \([a-z]*\) [^ ]*  */\1\t/p'
end

# The command of the line so far: generate, where none is named.
function __halogen_command
    set -l line (commandline -opc)
    set -l known (__halogen_commands $line[1] | cut -f 1)
    for word in $line[2..]
        if contains -- $word $known
            echo $word
            return
        end
    end
    echo generate
end

# Lines such as "  -o, --output DIR    write ..." of the command's help.
function __halogen_help
    set -l line (commandline -opc)
    $line[1] help (__halogen_command) 2>/dev/null
end

# Its options, with what stands behind them.
function __halogen_options
    __halogen_help | sed -n 's/^  -., \(--[^ ]*\)[^ ]* *[^ ]*  */\1\t/p; s/^  \(--[^ ]*\) [^ ]*  */\1\t/p; s/^  \(--[^ ]*\) [^ ]*$/\1/p'
    __halogen_help | sed -n 's/^  \(-.\), .*/\1/p'
end

# What the option before the cursor takes, as DIR or text|json; nothing, if it is a flag or no option.
function __halogen_value
    set -l line (commandline -opc)
    set -l current (commandline -ct)
    set -l option $line[-1]
    if string match -q -- '--*=*' $current
        set option (string replace -r '=.*' '' -- $current)
    end
    string match -q -- '-*' $option; or return
    __halogen_help | sed -n "s/^  \(-., \)*$option,*\( --[a-z-]*\)* \([^ -][^ ]*\).*/\3/p"
end

# What stands behind the command, as SPEC... or [CODE].
function __halogen_operand
    set -l line (commandline -opc)
    set -l operands (__halogen_help | string match -r '^usage: halogen [a-z]* (\S+) ?(\S*)')
    if string match -q '*|*' -- $operands[2]; and contains -- $line[-1] (string split '|' -- $operands[2])
        echo $operands[3] # behind merge or why
    else
        echo $operands[2]
    end
end

# What a word of the help stands for.
function __halogen_offer
    set -l program (commandline -opc)[1]
    set -l word (string replace -r '^--[a-z-]*=' '' -- (commandline -ct))
    switch $argv[1]
        case DIR
            __fish_complete_directories $word
        case FILE
            __fish_complete_path $word
        case SPEC 'SPEC...'
            __fish_complete_path $word | string match -er '^[^\t]*(?:/|\.lua)(?:\t|$)'
        case '[CODE]'
            $program diagnostic | string replace -r ' +' \t
        case '[COMMAND]'
            __halogen_commands $program
        case '*,*'
            string split , -- $argv[1]
            echo $argv[1]
        case '*|*'
            string split '|' -- $argv[1]
    end
end

function __halogen
    set -l line (commandline -opc)
    set -l current (commandline -ct)
    set -l value (__halogen_value)
    if test -n "$value"
        if string match -q -- '--*=*' $current
            string match -r -- '^--[a-z-]*=' $current | read -l option
            __halogen_offer $value | string replace -r '^' -- $option
        else
            __halogen_offer $value
        end
    else if string match -q -- '-*' $current
        __halogen_options
    else
        __halogen_offer (__halogen_operand)
        test (count $line) -gt 1; or __halogen_commands $line[1]
    end
end

complete -c halogen -f -a '(__halogen)'
