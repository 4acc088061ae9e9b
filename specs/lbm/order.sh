#!/bin/sh
# Runs the vortex to the same time on a grid and on one twice as fine: order.sh LBM CELLS FINER-CELLS
# Time steps shrink with the square of the spacing, so that the error ought to fall with it, to a quarter.
set -eu

lbm=$1
mpirun=$(dirname "$0")/../../tests/mpirun.sh
shift

results=$(for cells in "$@"; do
    log=$(sh "$mpirun" 2 "$lbm" "$cells" $((cells * cells / 3))) || {
        status=$?
        echo "$log" >&2
        exit $status
    }
    echo "$cells $(echo "$log" | awk '$1 == "error" { print $2 }')"
done)
echo "$results" | awk '
    NR == 1 { print "  cells       error   order" }
    NR == 1 { printf "  %5d   %.3e\n", $1, $2 }
    NR > 1 {
        order = log(error / $2) / log($1 / cells)
        printf "  %5d   %.3e   %5.2f\n", $1, $2, order
        if (order < 1.7) low = 1
    }
    { cells = $1; error = $2 }
    END {
        if (NR < 2 || low) print "the order is too low: at least 1.7 is expected"
        exit NR < 2 || low
    }'
