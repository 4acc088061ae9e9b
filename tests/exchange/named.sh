#!/bin/sh
# tests/exchange/named.sh RANKS PROGRAM PYTHON SCHEMA: in 20 of 20 runs a rank that is made 10 % slower is named first, and how much slower it is
# is told within 2 percent points.  It needs a processor for each rank: a run in which something else had one is made again.
set -u
ranks=$1 program=$2 python=$3 schema=$4
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ "$(nproc)" -ge "$ranks" ] || { echo "skipped: $ranks ranks on $(nproc) processors" && exit 77; }

right=0
made=0
while [ "$right" -lt 20 ]; do
    # Three tries for each that is right, and ten.
    [ "$made" -lt $((10 + 3 * right)) ] || { echo "skipped: the processors are busy; $right runs of $made had them alone, and were right" && exit 77; }
    made=$((made + 1))
    rm -rf "$work/told"
    mkdir "$work/told"
    HX_STATS=$work/told/stats.json "$here/../mpirun.sh" "$ranks" "$program" "$work/told" 60 10000 1000 >"$work/log" 2>&1 ||
        { tail -n 5 "$work/log" && exit 1; }
    code=0
    "$python" "$here/statistics.py" "$schema" "$work/told" "$ranks" named 1 10 || code=$?
    case $code in
    0) right=$((right + 1)) ;;
    3) ;;
    *) exit "$code" ;;
    esac
done
echo "$right runs of $made, the others were disturbed"
