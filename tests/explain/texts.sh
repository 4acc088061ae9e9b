#!/bin/sh
# What `halogen explain` prints, compared with what a person has read and agreed to.  No line is longer than 100 columns.
#
# usage: texts.sh HALOGEN SOURCE_ROOT             compare
#        texts.sh HALOGEN SOURCE_ROOT --update    store
set -u
halogen=$(realpath "$1") root=$(realpath "$2")
stored=$root/tests/explain/texts
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0
cd "$root/tests/explain" || exit 1 # texts name machine files as they were given

# prints FILE SPEC OPTION...
prints() {
    file=$1 spec=$2
    shift 2
    "$halogen" explain "$root/$spec" "$@" >"$work/all" || failed=1
    # The version changes without a change of what is told.
    grep -v '^  "halogen": ' "$work/all" >"$work/$file"
    [ "${update:-}" != --update ] || cp "$work/$file" "$stored/$file"
    diff -u "$stored/$file" "$work/$file" || failed=1
    case $file in
    *.txt) ! awk 'length > 100 { print FILENAME ": " $0; found = 1 } END { exit !found }' "$work/$file" || failed=1 ;;
    esac
}

update=${3:-}
prints channel.txt tests/emit/specs/channel.lua --cells 96,96,48 --ranks 4
prints tides.txt tests/emit/specs/tides.lua --cells 64,48 --ranks 4 --machine laptop.machine
prints nodes.txt tests/emit/specs/channel.lua --cells 30,20,11 --ranks 12 --node 4 --rank 5
prints sweep.txt tests/emit/specs/channel.lua --cells 96,96,48 --ranks 1..5000
prints nothing.txt tests/emit/specs/channel.lua --cells 4,4,4 --ranks 65,97,1024
prints idle.txt tests/emit/specs/channel.lua --cells 24,24,24 --parts 2,1,1 --ranks 3 --rank 1
prints idle_sweep.txt tests/emit/specs/channel.lua --cells 24,24,24 --parts 2,1,1 --ranks 1,2,3,8
prints sphere.txt specs/sphere/sphere.lua --cells 12,12 --ranks 10 --rank 9
prints ocean.txt specs/ocean/ocean.lua --cells 36,24 --parts 3,2 --ranks 6
prints shared.txt tests/exchange/specs/shared_star.lua --cells 8,8 --ranks 4 --rank 1
prints device.txt tests/cuda/specs/mixed.lua --cells 16,16,16 --ranks 4 --node 2
prints directions.txt specs/lbm/lbm.lua --cells 16,16,16 --ranks 8
prints predicted.txt tests/emit/specs/channel.lua --cells 30,20,11 --ranks 12 --node 4 --rank 5 --machine laptop.machine
prints scaling.txt tests/emit/specs/channel.lua --cells 96,96,48 --ranks 1..4096 --node 16 --machine laptop.machine
prints lakes.txt specs/lakes/lakes.lua
prints wired.txt tests/emit/specs/wired.lua --cells 16,16,16 --ranks 4
prints line.json tests/emit/specs/line.lua --cells 10 --ranks 3 --rank 1 --format json
exit "$failed"
