#!/bin/sh
# Runs the vortex on 1, 2 and 4 ranks, and compares all bits of the final states by their checksums:
# ranks.sh LBM CELLS STEPS
set -eu

. "$(dirname "$0")/../common/launch.sh"

run() {
    launch_alike "$@"
    echo "$log"
    echo
    # Of faces, most of the halo, 5 of 19 populations travel; of edges 1, of corners none.
    echo "$log" | awk '$1 == "share" { low = $2 > 0.2 && $2 < 0.3 } END { exit !low }' || {
        echo 'populations that nobody needs travel'
        exit 1
    }
}

run 1 "$@"
run 2 "$@"
run 4 "$@" 2 2 1
run 4 "$@" 1 2 2
echo 'equal, bit for bit: the final states of 1, 2 and 4 ranks'
