#!/bin/sh
# Runs on finer and finer grids for as long: order.sh TRIPOLAR TURNS COLUMNS COLUMNS...
# What of the tracer is elsewhere than it should be ought to fall with the square of the spacing.
set -eu

tripolar=$1
turns=$2
mpirun=$(dirname "$0")/../../tests/mpirun.sh
shift 2

for columns in "$@"; do
    log=$(sh "$mpirun" 2 "$tripolar" "$columns" "$turns") || {
        status=$?
        echo "$log" >&2
        exit $status
    }
    echo "$columns $(echo "$log" | awk '$1 == "error" { print $2 }')"
done | awk -v least=1.7 -f "$(dirname "$0")/../order.awk"
