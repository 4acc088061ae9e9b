#!/bin/sh
# Audits random specs, of seeds that no other test has, and says how many there were:
#
#   alarms.sh SETTINGS FIRST_SEED SEEDS
#
# SETTINGS: of ../random.  Each seed gives a program of 20 specs, in turn of Cartesian grids and of grids that turn, on 1
# to 4 ranks.  A false alarm is a failed finish, which the program takes for one of its own.
set -u

settings=$1
seed=$2
last=$(($2 + $3 - 1))
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
said=$(mktemp) || exit 1
trap 'rm -f "$said"' EXIT
specs=0
runs=0
failed=0
while [ "$seed" -le "$last" ]; do
    first=$((seed % 2 * 1000 + 1))
    ranks=$((seed % 4 + 1))
    if ! HX_AUDIT=1 HX_POISON=1 RANDOM_SEED=$seed RANDOM_SHRINK=0 \
        "$here/../random/run.sh" "$settings" "$ranks" none "$first" 20 >"$said" 2>&1; then
        failed=$((failed + 1))
        echo "seed $seed, specs from $first, $ranks ranks:"
        grep -v '^libhx warning: .*not audited' "$said" | head -n 20
    fi
    specs=$((specs + 20))
    more=$(sed -n 's/^[0-9]* random specs, \([0-9]*\) runs.*/\1/p' "$said")
    runs=$((runs + ${more:-0}))
    echo "$specs specs, $runs runs, $failed programs failed"
    seed=$((seed + 1))
done
[ "$failed" = 0 ]
