#!/bin/sh
# Runs test 2, whose solution is known, to the same time on finer and finer grids: order.sh SPHERE HOURS CELLS CELLS...
# The error of the depth ought to fall with the square of the spacing, its largest everywhere, too; that of the vorticity,
# which takes another derivative, with the spacing.
set -eu

sphere=$1
hours=$2
shift 2
. "$(dirname "$0")/../common/launch.sh"

results=$(for cells in "$@"; do
    launch 2 "$sphere" 2 "$cells" "$hours"
    echo "$cells $(echo "$log" | awk '$1 == "error" { printf "%s %s ", $5, $7 } $1 == "vorticity" { print $2 }')"
done)

# fall WHAT COLUMN LEAST-ORDER
fall() {
    echo "$1"
    echo "$results" | awk -v column="$2" '{ print $1, $column }' | awk -v least="$3" -f "$(dirname "$0")/../order.awk"
}
fall 'error of the depth, l2' 2 1.9
fall 'error of the depth, linf' 3 1.8
fall 'error of the vorticity, linf' 4 0.8
