#!/bin/sh
# Runs a program of random specs on some ranks; if it fails, shrinks the first spec that did.
#
#   run.sh SETTINGS RANKS PROGRAM FIRST COUNT
#
# RANDOM_SEED=N: other specs than those that PROGRAM was built with; RANDOM_SPECS=N: so many of them.  They are written,
# generated and compiled first.  RANDOM_SHRINK=N: shrink for N seconds at most (60 unless set; 0: not at all).
set -u

settings=$1
ranks=$2
program=$3
first=$4
count=$5
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
directory=

. "$settings"
# shellcheck disable=SC2154 # lua and halogen are of the settings
if [ -n "${RANDOM_SEED:-}${RANDOM_SPECS:-}" ]; then
    seed=${RANDOM_SEED:-1}
    directory=$(mktemp -d) || exit 1
    trap 'rm -rf "$directory"' EXIT
    RANDOM_HALF=$half "$here/batch.sh" "$lua" "$halogen" "$seed" "$first" "${RANDOM_SPECS:-$count}" "$directory" || exit 1
    "$here/compile.sh" "$settings" "$directory" || exit 1
    program=$directory/random
fi

said=$(mktemp) || exit 1
"$here/../mpirun.sh" "$ranks" "$program" >"$said" 2>&1
status=$?
cat "$said"
seed=$(sed -n 's/.*\[seed \([-0-9]*\), spec .*/\1/p' "$said" | head -n 1)
number=$(sed -n 's/.*\[seed [-0-9]*, spec \([0-9]*\),.*/\1/p' "$said" | head -n 1)
rm -f "$said"
if [ "$status" != 0 ] && [ "$status" != 77 ] && [ "${RANDOM_SHRINK:-60}" != 0 ] && [ -n "$number" ]; then
    "$lua" "$here/shrink.lua" "$settings" "$seed" "$number" "$ranks" "${RANDOM_SHRINK:-60}"
fi
exit "$status"
