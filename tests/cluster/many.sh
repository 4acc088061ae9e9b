#!/bin/sh
# Programs on all slots of a cluster, one behind the other, so that the cluster is built once: a command of cluster.sh.
#
# usage: many.sh MPIRUN.sh RANKS PROGRAM...
#
# A PROGRAM may have arguments, with spaces between.  Prints how each went and how long it took; ends with 1 if one failed.
# LIMIT is the seconds that each may take, 3600 unless set.
set -u
mpirun=$1 ranks=$2
shift 2
# Of so many ranks each partition that is tried takes seconds, and waits are long where a processor has many of them.
export PROPERTY_TRIES=0.01 RANDOM_FEW=1 RANDOM_EVERY=4 LIMIT="${LIMIT:-3600}" HX_DEADLINE="${HX_DEADLINE:-600}"
said=$(mktemp) || exit 1
trap 'rm -f "$said"' EXIT
failed=0
for program; do
    begun=$(date +%s)
    # shellcheck disable=SC2086 # a program and its arguments
    "$mpirun" "$ranks" $program >"$said" 2>&1
    status=$?
    echo "$(basename "${program%% *}"): status $status after $(($(date +%s) - begun)) s: $(tail -n 1 "$said")"
    if [ "$status" -ne 0 ]; then
        failed=$((failed + 1))
        head -n 40 "$said"
    fi
done
echo "$# programs on $ranks ranks, $failed failed"
[ "$failed" -eq 0 ]
