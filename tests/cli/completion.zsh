#!/bin/zsh -f
# Completion for zsh: what is offered for a line.  What zsh itself does with it, and with names of files, is its own.
#
# usage: completion.zsh HALOGEN COMPLETION_FILE
halogen=${1:A}
completion=${2:A}
failures=0

# As zsh does with a file that begins with "#compdef halogen".
[[ $(head -n 1 $completion) == '#compdef halogen' ]] || {
    echo 'FAILED nothing is completed for halogen'
    ((++failures))
}
functions[_halogen]=$(<$completion)

# The parts of zsh that it calls, and that are there only while it completes.
compset() {
    [[ $PREFIX == ${~2}* ]] || return
    IPREFIX=${(M)PREFIX##${~2}} PREFIX=${PREFIX#$IPREFIX}
}
compadd() {
    [[ $1 == -- ]] && shift
    offered+=(${(M)@:#$PREFIX*})
}
_files() {
    offered+=(files $@)
}

# offers EXPECTED WORD...: completes the last word of a line; what is offered, sorted, with "|" between.
offers() {
    local expected=$1 got IPREFIX= PREFIX=$@[-1]
    shift
    local -a words=($halogen "$@") offered=()
    local CURRENT=$#words
    _halogen
    got=${(j:|:)${(o)offered}}
    if [[ $got != $expected ]]; then
        echo "FAILED $*: offered '$got', not '$expected'"
        ((++failures))
    fi
}

offers '*.lua|-g|check|diagnostic|explain|files|generate|help|init|params|trace' ''
offers '*.lua|-g|files' fl
offers '*.lua|-g|files|params' pa
offers '*.lua|-g|files' params fl
offers '*.lua|-g|files' check a.lua fl
offers '*.lua|-g|files' --compare fl
offers '--depfile|--diag|--dump' flow.lua --d
offers '--diag' check --d
offers '--diag' flow.lua check --d
offers '--compare' flow.lua --co
offers '-/|files' flow.lua -o ''
offers '-/|files' flow.lua --output o
offers '-/|files' flow.lua --output=o
offers 'files' flow.lua --depfile no
offers 'links|model|plan|tables' flow.lua --dump ''
offers 'plan' flow.lua --dump p
offers 'links|model|plan|tables' flow.lua --dump=
offers 'model' flow.lua --dump=m
offers '' check flow.lua --param ''
offers 'c|c,check,cxx,fortran,python|check|cxx' flow.lua --emit c
offers 'json|text' --diag ''
offers 'HG1701|HG1702|HG1703' diagnostic HG17
offers 'generate' help g
offers 'merge|why' trace ''

# Each command has the options that its help lists, and no others.
for command in $($halogen --help | sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
    offers ${(j:|:)${(o)${(f)"$($halogen $command --help |
        grep -oE '^  (-., )?--[^ ]+' | tr -d ' ' | tr ',' '\n')"}}} $command -
done
((failures)) || echo 'all as expected'
exit failures
