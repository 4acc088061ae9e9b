#!/bin/sh
# Runs the vortex to the same time on a grid and on one twice as fine: order.sh LBM CELLS FINER-CELLS
# Time steps shrink with the square of the spacing, so that the error ought to fall with it, to a quarter.
set -eu

lbm=$1
shift
. "$(dirname "$0")/../common/launch.sh"

results=$(for cells in "$@"; do
    launch 2 "$lbm" "$cells" $((cells * cells / 3))
    echo "$cells $(echo "$log" | awk '$1 == "error" { print $2 }')"
done)
echo "$results" | awk -v least=1.7 -f "$(dirname "$0")/../order.awk"
