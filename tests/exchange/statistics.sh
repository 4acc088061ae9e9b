#!/bin/sh
# tests/exchange/statistics.sh RANKS PROGRAM PYTHON SCHEMA HALOGEN SPEC: statistics.py on what HX_STATS tells of runs, and halogen explain.
set -u
ranks=$1 program=$2 python=$3 schema=$4 halogen=$5 spec=$6
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
    echo "FAIL $*"
    exit 1
}
try_run() { # schedule, steps, work, more, [mode]
    rm -rf "$work/told"
    mkdir "$work/told"
    schedule=$1
    shift
    HX_DESCRIBE=$work/told/run.json HX_SCHEDULE=$schedule "$here/../mpirun.sh" "$ranks" "$program" "$work/told" "$@" >"$work/log" 2>&1
}
run() {
    try_run "$@" || fail "$(tail -n 5 "$work/log")"
}
check() { # mode, [slow rank]
    "$python" "$here/statistics.py" "$schema" "$work/told" "$ranks" "$@"
}
# What a sample stands for may be wrong by chance, and a busy machine may make another rank the slowest: then it is
# measured again, 4 times at most.  All other faults count at once.
measure() { # "mode [slow rank]", and what run takes
    checked=$1
    shift
    for _ in 1 2 3 4 5; do
        run "$@"
        code=0
        # shellcheck disable=SC2086 # one word, or two
        check $checked || code=$?
        [ "$code" = 0 ] && return
        [ "$code" = 3 ] || exit "$code"
    done
    exit 1
}

HX_STATS=$work/told/stats.json
export HX_STATS
[ "$ranks" -gt 1 ] && slow=1 || slow=
measure "one-phase $slow" one-phase 60 1000 5000 now
# What the program asked for in the middle.
grep -q '^  all  *30 ' "$work/log" || fail "no table of what was so far in $(cat "$work/log")"
"$python" -c '
import json, sys
now, end = (json.load(open(f"{sys.argv[1]}/{name}.json"))["exchanges"] for name in ("now", "stats"))
ranks = int(sys.argv[2])
times = [[rank["times"] for rank in exchange["ranks"]] for exchange in now]
times == [[30] * ranks, [10] * ranks] or sys.exit(f"FAIL so far: {times}")
late = [exchanges[0]["ranks"][0]["late_seconds"] for exchanges in (now, end)]
ranks == 1 or 0.0 < late[0] < late[1] or sys.exit(f"FAIL rank 0 waited {late[0]} s, and in the end {late[1]} s")
' "$work/told" "$ranks" || exit 1

# What the run wrote is shown as text, and on the page of the run.
"$halogen" explain "$spec" --stats "$work/told/stats.json" >"$work/text" || fail "explain does not take its statistics"
grep -q "^  all  *60 " "$work/text" || fail "explain has no row of exchange all: $(cat "$work/text")"
"$halogen" explain "$spec" --run "$work/told/run.json" --stats "$work/told/stats.json" --html "$work/page.html" ||
    fail "explain makes no page of the run"
grep -q '"format": "halogen-statistics"' "$work/page.html" || fail "the page lacks the statistics"

# By dimension more ranks wait for one that a third one keeps waiting, which the calls do not tell.
[ "$ranks" -gt 2 ] && measure counts by-dimension 60 2000 200 open && exit
measure by-dimension by-dimension 60 2000 200 open

# A sample of many.
measure one-phase one-phase 3000 30 0
grep -q '"times": 3000' "$work/told/stats.json" || fail "not all are counted"

# In words, on standard error; nothing else is there, and nothing without the variable.
HX_STATS=1
run one-phase 20 500 2000
[ "$(awk 'length($0) > 100' "$work/log")" = "" ] || fail "lines of more than 100 columns: $(cat "$work/log")"
for words in "libhx statistics of types: $ranks rank" "exchange  *times  *messages  *bytes  *every  *pack  *copy" \
    "^  all  *20 " "^  some_star  *7 " "^Imbalance: "; do
    grep -q "$words" "$work/log" || fail "no '$words' in $(cat "$work/log")"
done
[ "$ranks" = 1 ] || grep -q "^  rank 1 works .* the others; they wait " "$work/log" || fail "no rank 1 in $(cat "$work/log")"
HX_STATS=0
run one-phase 1 0 0 now
grep -q "libhx statistics" "$work/log" && fail "statistics that nobody asked for: $(cat "$work/log")"

# A rank that comes late does not fail the run.  The deadline holds for hx_create and exchanges, too: where a busy machine keeps
# a rank for so long, the run is made again with a longer one.
[ "$ranks" = 2 ] || exit 0
HX_STATS=$work/told/stats.json
for HX_DEADLINE in 0.5 1.5 5; do
    export HX_DEADLINE
    try_run one-phase 3 0 0 late && check silent && exit
done
fail "a rank that comes late: $(tail -n 5 "$work/log")"
