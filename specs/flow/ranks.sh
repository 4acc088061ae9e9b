#!/bin/sh
# Runs the gas on 1 to 4 ranks, and compares all bits of the final states by their checksums: ranks.sh FLOW NX NY STEPS
set -eu

. "$(dirname "$0")/../common/launch.sh"

run() {
    launch_alike "$@"
    echo "$log" | sed '/^$/q'
}

run 1 "$@"
run 2 "$@"
run 3 "$@"
run 4 "$@" 1 4
run 4 "$@"
echo 'how rank 0 of the last run exchanged:'
echo "$log" | sed '1,/^$/d'
echo
echo 'equal, bit for bit: the final states of 1 to 4 ranks'
