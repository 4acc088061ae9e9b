#!/usr/bin/fish
# Completion for fish: what is offered for a line.
#
# usage: completion.fish HALOGEN COMPLETION_FILE
set halogen (realpath $argv[1])
set place (mktemp -d)
mkdir $place/bin $place/here $place/here/specs $place/here/out
ln -s $halogen $place/bin/halogen
set -x PATH $place/bin $PATH
source (realpath $argv[2])
cd $place/here
touch flow.lua 'two words.lua' notes.txt
set failures 0

# offers EXPECTED LINE: what is offered for the end of a line, sorted, with "|" between.
function offers
    set -l got (complete -C "halogen $argv[2]" | cut -f 1 | LC_ALL=C sort -u | string join '|')
    if test "$got" != "$argv[1]"
        echo "FAILED $argv[2]: offered '$got', not '$argv[1]'"
        set failures (math $failures + 1)
    end
end

offers 'params' pa
offers 'flow.lua' fl
offers 'flow.lua' 'check a.lua fl'
offers '--depfile|--diag|--dump' 'flow.lua --d'
offers '--diag' 'check --d'
offers '--diag' 'flow.lua check --d'
offers '--compare' 'flow.lua --co'
offers 'out/|specs/' 'flow.lua -o '
offers 'out/' 'flow.lua --output o'
offers 'notes.txt' 'flow.lua --depfile no'
offers 'links|model|plan|tables' 'flow.lua --dump '
offers 'plan' 'flow.lua --dump p'
offers '--dump=model' 'flow.lua --dump=m'
offers '' 'check flow.lua --param '
offers 'c|c,check,cxx,fortran,python|check|cxx' 'flow.lua --emit c'
offers 'json|text' '--diag '
offers 'HG1701|HG1702|HG1703' 'diagnostic HG17'
offers 'generate' 'help g'
offers 'cubed-sphere' 'init wave --grid cu'
offers 'merge|why' 'trace '
offers 'out/|specs/' 'trace why '

# Each command is offered, and has the options that its help lists, and no others.
set commands ($halogen --help | sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p')
offers (printf '%s\n' $commands flow.lua out/ specs/ 'two words.lua' | LC_ALL=C sort | string join '|') ''
for command in $commands
    offers ($halogen $command --help | grep -oE '^  (-., )?--[^ ]+' | tr -d ' ' | tr ',' '\n' | LC_ALL=C sort | string join '|') "$command -"
end
rm -r $place
test $failures -eq 0; and echo 'all as expected'
exit $failures
