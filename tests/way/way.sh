#!/bin/sh
# The files that a start and a finish enter are those of docs/architecture.md, in its order, and no more than it says.
#
# usage: way.sh SOURCE_ROOT PROGRAM MPIRUN TRANSPORT...
#
# Inline functions of headers do not count: they are a fence, or look whether somebody observes.
set -u
root=$1 program=$2 mpirun=$3
shift 3
most=7
document=$root/docs/architecture.md
command -v addr2line >/dev/null || { echo 'skipped: there is no addr2line on this machine; Debian has it in binutils'; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# FILE FUNCTION DEPTH of each function that a call enters, in order; FILE is a path below runtime/ without its ending.
entered() { # call, trace
    awk -v call="$1" '$1 == call { print $3 }' "$2" | addr2line -f -e "$program" | paste - - >"$work/named"
    awk -v call="$1" '$1 == call { print $2 }' "$2" | paste - "$work/named" | awk '{
        file = $3
        sub(/:.*/, "", file)
        sub(/.*\/runtime\//, "", file)
        sub(/.*\/tests\/.*\//, "", file)
        at[$1] = file ~ /\.h$/ ? at[$1 - 1] : file
        sub(/\.c$/, "", at[$1])
        if (file !~ /\.h$/)
            print at[$1], $2, $1
    }'
}

# The files of libhx among them, each where it is entered first.
files() {
    awk '$1 ~ /\// && !seen[$1]++ { print $1 }'
}

# How often each file is entered from another one.
entries() {
    awk '{ at[$3] = $1 } $1 ~ /\// && ($3 == 0 || at[$3 - 1] != $1) { ++n[$1]; order[$1] = order[$1] ? order[$1] : NR }
        END { for (f in n) print order[f], n[f], f }' | sort -n | cut -d ' ' -f 2-
}

# What the document says of a call by a transport.
documented() { # call, transport
    awk -v call="$1" -v transport="$2" -F '|' '
        function list(cell,    part, i, n) {
            n = split(cell, part, "`")
            for (i = 2; i <= n; i += 2) {
                sub(/\.c$/, "", part[i])
                print part[i]
            }
        }
        FNR == NR && $2 == " transport " { column = $3 ~ call ? 3 : 4; inside = 1 }
        FNR != NR && $2 == " a " call " enters " { inside = 1; next }
        !/^\|/ { inside = 0 }
        FNR == NR && inside && $2 == " `" transport "` " { own = $column }
        FNR != NR && inside && $2 ~ /`/ { list($2 ~ /transport\/…/ ? own : $2) }' "$document" "$document"
}

for transport; do
    "$mpirun" 2 "$program" "$transport" >"$work/trace" || exit 1
    for call in start finish; do
        entered "$call" "$work/trace" >"$work/way"
        files <"$work/way" >"$work/found"
        documented "$call" "$transport" >"$work/said"
        if [ "$call" = finish ]; then # what comes when is not for this rank to say
            sort -o "$work/found" "$work/found"
            sort -o "$work/said" "$work/said"
        fi
        if [ "${SHOW:-}" ]; then
            echo "== $call by $transport"; cat "$work/way"; entries <"$work/way"
        fi
        if ! diff "$work/said" "$work/found" >"$work/difference"; then
            failed=1
            echo "FAIL $call by $transport: docs/architecture.md says < and the program entered >, files of runtime/"
            cat "$work/difference"
        fi
        # Who calls a transport, or a kernel, does so message by message; the rest goes down and returns.
        again=$(entries <"$work/way" | awk '$1 > 2 && $2 ~ /^exchange/ { print $2 }')
        if [ "$call" = start ] && [ "$again" ]; then
            failed=1
            echo "FAIL start by $transport comes back more than once to $again"
        fi
        count=$(wc -l <"$work/found")
        if [ "$count" -gt "$most" ]; then
            failed=1
            echo "FAIL $call by $transport enters $count files, more than $most: a reader cannot follow it"
        fi
    done
done
exit "$failed"
