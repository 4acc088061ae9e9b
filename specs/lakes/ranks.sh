#!/bin/sh
# Runs the lakes on 1 to 4 ranks, and compares all bits of the final states by their checksums: ranks.sh LAKES NX NY STEPS
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
    echo "$log" | sed '/^$/q'
    checksum=$(echo "$log" | awk '$1 == "checksum" { print $2 }')
    if [ -z "$checksum" ] || [ "$checksum" != "${expected:=$checksum}" ]; then
        echo "on $ranks ranks the final state is another one than on 1"
        exit 1
    fi
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
