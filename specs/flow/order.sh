#!/bin/sh
# Runs the gas to the same time on finer and finer grids: order.sh FLOW CELLS CELLS...
# The error of the density ought to fall with the square of the spacing.
set -eu

flow=$1
shift
. "$(dirname "$0")/../common/launch.sh"

echo 'error of the density'
for cells in "$@"; do
    launch 2 "$flow" "$cells" "$cells" $((cells / 2))
    echo "$log" | awk -v cells="$cells" '$1 == "error" { print cells, $2 }'
done | awk -v least=1.8 -f "$(dirname "$0")/../order.awk"
