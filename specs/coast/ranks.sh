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
    launch_shown "$ranks" "$coast" $case "$@"
}

case=$*
rm -f "$map"
run 1
run 2
run 3
HX_TRANSPORT=p2p run 4 write "$map"
run 4 read "$map"
tell_exchanges
