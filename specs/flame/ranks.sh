#!/bin/sh
# Runs the flame on 1 to 4 ranks, and compares all bits of the final states by their checksums; on several ranks blocks have to
# move, and to help: ranks.sh FLAME NX NY STEPS
set -eu

. "$(dirname "$0")/../common/launch.sh"

run() {
    launch_alike "$@"
    echo "$log" | sed '/^$/q'
    echo "$log" | awk -v ranks="$1" '$1 == "flame" { exit ranks > 1 && ($2 < 10 || $(NF - 2) > $(NF - 5)) }' ||
        { echo "on $1 ranks no blocks moved, or work was shared worse than before" && exit 1; }
}

run 1 "$@"
run 2 "$@"
run 3 "$@"
HX_TRANSPORT=p2p run 4 "$@"
run 4 "$@"
echo 'how rank 0 of the last run exchanged:'
echo "$log" | sed '1,/^$/d'
echo
echo 'equal, bit for bit: the final states of 1 to 4 ranks'
