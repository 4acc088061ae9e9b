#!/bin/bash
# Completion for bash: what is offered for a line.
#
# usage: completion.bash HALOGEN COMPLETION_FILE
halogen=$(realpath "$1")
completion=$(realpath "$2")
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place" || exit 1
mkdir specs out
touch flow.lua 'two words.lua' notes.txt
source "$completion"
failures=0

# offers EXPECTED WORD...: completes the last word of a line; what is offered, sorted, with "|" between.
offers() {
    local expected=$1 got
    shift
    COMP_WORDS=("$halogen" "$@") COMP_CWORD=$# COMPREPLY=()
    _halogen
    got=$(printf '%s\n' "${COMPREPLY[@]}" | LC_ALL=C sort | paste -s -d '|')
    if [ "$got" != "$expected" ]; then
        echo "FAILED ${COMP_WORDS[*]:1}: offered '$got', not '$expected'"
        failures=$((failures + 1))
    fi
}

offers 'check|diagnostic|explain|flow.lua|generate|help|init|out|params|specs|trace|two words.lua' ''
offers 'flow.lua' fl
offers 'specs' s
offers 'params' pa
offers 'flow.lua' params fl
offers 'flow.lua' check a.lua fl
offers 'flow.lua' --compare fl
offers '--depfile|--diag|--dump' flow.lua --d
offers '--diag' check --d
offers '--diag' flow.lua check --d
offers '--compare' flow.lua --co
offers 'out|specs' flow.lua -o ''
offers 'out' flow.lua --output o
offers 'out' flow.lua --output = o
offers 'notes.txt' flow.lua --depfile no
offers 'links|model|plan|tables' flow.lua --dump ''
offers 'plan' flow.lua --dump p
offers 'links|model|plan|tables' flow.lua --dump =
offers 'model' flow.lua --dump = m
offers '' check flow.lua --param ''
offers 'c|c,check,cxx,fortran,python|check|cxx' flow.lua --emit c
offers 'json|text' --diag ''
offers 'HG1701|HG1702|HG1703' diagnostic HG17
offers 'generate' help g
offers 'merge|why' trace ''
offers 'out|specs' trace why ''

# Each command has the options that its help lists, and no others.
for command in $("$halogen" --help | sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
    offers "$("$halogen" "$command" --help | grep -oE '^  (-., )?--[^ ]+' | tr -d ' ' | tr ',' '\n' |
        LC_ALL=C sort | paste -s -d '|')" "$command" -
done
complete -p halogen | grep -q -- '-F _halogen halogen' || {
    echo 'FAILED nothing is completed for halogen'
    failures=$((failures + 1))
}
[ "$failures" -eq 0 ] && echo 'all as expected'
exit "$failures"
