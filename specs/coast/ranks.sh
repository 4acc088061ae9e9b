#!/bin/sh
# Runs the coast on 1 to 4 ranks, the last time with a map that another run wrote, and compares all bits of the final states by
# their checksums: ranks.sh COAST FOLDER NX NY STEPS
set -eu

. "$(dirname "$0")/../common/launch.sh"

coast=$1 map=$2/coast.map
shift 2

run() { # ranks, arguments behind those of all runs...
    ranks=$1
    shift
    launch_alike "$ranks" "$coast" $case "$@"
    echo "$log" | sed '/^$/q'
}

case=$*
rm -f "$map"
run 1
run 2
run 3
HX_TRANSPORT=p2p run 4 write "$map"
run 4 read "$map"
echo 'how rank 0 of the last run exchanged:'
echo "$log" | sed '1,/^$/d'
echo
echo 'equal, bit for bit: the final states of 1 to 4 ranks'
