#!/bin/sh
# Runs the vortex on 1, 2 and 4 ranks, and compares all bits of the final states by their checksums:
# ranks.sh LBM CELLS STEPS
set -eu

mpirun=$(dirname "$0")/../../tests/mpirun.sh

expected=
run() {
    ranks=$1
    shift
    log=$(sh "$mpirun" "$ranks" "$@") || {
        status=$?
        echo "$log"
        exit $status
    }
    echo "$log"
    echo
    checksum=$(echo "$log" | awk '$1 == "checksum" { print $2 }')
    if [ -z "$checksum" ] || [ "$checksum" != "${expected:=$checksum}" ]; then
        echo "on $ranks ranks the final state is another one than on 1"
        exit 1
    fi
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
