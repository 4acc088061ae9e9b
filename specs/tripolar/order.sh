#!/bin/sh
# Runs on finer and finer grids for as long: order.sh TRIPOLAR TURNS COLUMNS COLUMNS...
# What of the tracer is elsewhere than it should be ought to fall with the square of the spacing.
set -eu

tripolar=$1
turns=$2
shift 2
. "$(dirname "$0")/../common/launch.sh"

results=$(for columns in "$@"; do
    launch 2 "$tripolar" "$columns" "$turns"
    echo "$columns $(echo "$log" | awk '$1 == "error" { print $2 }')"
done)
echo "$results" | awk -v least=1.7 -f "$(dirname "$0")/../order.awk"
