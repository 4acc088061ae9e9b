#!/bin/sh
# Runs the wave to the same time on finer and finer grids: order.sh WAVE CELLS CELLS...
# Time steps shrink with the square of the spacing, so that both errors ought to fall with its fourth power.
set -eu

wave=$1
coarsest=$2
shift
. "$(dirname "$0")/../common/launch.sh"

results=$(for cells in "$@"; do
    courant=$(awk "BEGIN { print 0.4 * $coarsest / $cells }")
    steps=$(awk "BEGIN { print 14 * ($cells / $coarsest) ^ 2 }")
    launch 2 "$wave" --cells "$cells" "$cells" $((cells / 2)) --steps "$steps" --courant "$courant"
    echo "$cells $(echo "$log" | awk '/^error/ { print $2 }')"
done)
echo "$results" | awk -v least=3.7 -f "$(dirname "$0")/../order.awk"
