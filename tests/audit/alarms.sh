#!/bin/sh
# Audits random specs, of seeds that no other test has, and says how many there were:
#
#   alarms.sh SETTINGS FIRST_SEED SEEDS [SPECS]
#
# SETTINGS: of ../random.  Each seed gives a program of 20 specs, or SPECS, in turn of Cartesian grids and of grids that
# turn, on 1 to 4 ranks, by one transport for each way to divide a grid.  A false alarm is a failed finish, which the
# program takes for one of its own.  Fastest, by one process at a time: 100 SPECS, and
# RANDOM_COMPILER=tcc RANDOM_COMPLEX=0 RANDOM_EVERY=4.
set -u

settings=$1
seed=$2
last=$(($2 + $3 - 1))
each=${4:-20}
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
made=$(mktemp -d) || exit 1
trap 'rm -rf "$made"' EXIT
said=$made/said
specs=0
runs=0
failed=0
. "$settings"

# Code that is not optimized runs for as long and compiles in half of the time.
# shellcheck disable=SC2154 # lua, halogen and half are of the settings
build() {
    rm -f "$made"/r[0-9]* "$made"/tables*
    RANDOM_HALF=$half "$here/../random/batch.sh" "$lua" "$halogen" "$seed" "$first" "$each" "$made" &&
        RANDOM_OPTIMIZE=-O0 "$here/../random/compile.sh" "$settings" "$made"
}

while [ "$seed" -le "$last" ]; do
    first=$((seed % 2 * 1000 + 1))
    ranks=$((seed % 4 + 1))
    if ! build >"$said" 2>&1 ||
        ! LIMIT=600 RANDOM_FEW=1 HX_AUDIT=1 HX_POISON=1 "$here/../mpirun.sh" "$ranks" "$made/random" >"$said" 2>&1; then
        failed=$((failed + 1))
        echo "seed $seed, specs from $first, $ranks ranks:"
        grep -v '^libhx warning: .*not audited' "$said" | head -n 20
    fi
    more=$(sed -n 's/^[0-9]* random specs, \([0-9]*\) runs.*/\1/p' "$said")
    specs=$((specs + ${more:+$each} + 0))
    runs=$((runs + ${more:-0}))
    echo "$specs specs, $runs runs, $failed programs failed"
    seed=$((seed + 1))
done
[ "$failed" = 0 ]
