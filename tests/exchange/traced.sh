#!/bin/sh
# tests/exchange/traced.sh RANKS PROGRAM HALOGEN PYTHON: traced.py on what `halogen trace merge` makes of runs with HX_TRACE.
set -u
ranks=$1 program=$2 halogen=$3 python=$4
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
    echo "FAIL $*"
    exit 1
}

# trace NAME MODE...: runs it, merges, compares.  A share of time that is wrong is measured again, twice at most: something
# else may have had the processors.  All other faults count at once.
trace() {
    name=$1
    shift
    for _ in 1 2 3; do
        rm -rf "${HX_TRACE:?}"
        "$here/../mpirun.sh" "$ranks" "$program" "$work" ${killed:+kill} >"$work/log" 2>&1 || [ "${killed:-}" ] ||
            fail "$(tail -n 5 "$work/log")"
        "$halogen" trace merge "$HX_TRACE" -o "$work/$name.json" >"$work/$name.txt" || fail "$name is not merged"
        code=0
        "$python" "$here/traced.py" "$work/$name.json" "$work/$name.txt" "$work" "$ranks" "$@" || code=$?
        [ "$code" = 0 ] && return
        [ "$code" = 3 ] || break
    done
    exit 1
}

for schedule in one-phase by-dimension; do
    HX_TRACE=$work/$schedule HX_SCHEDULE=$schedule trace "$schedule" whole
done

# What is bounded stays so: a head, and records of 64 bytes.
HX_TRACE=$work/bounded HX_TRACE_EVENTS=100 trace bounded bounded 100
set -- "$work"/bounded/*.hxtrace
[ $# = "$ranks" ] || fail "$# files of $ranks ranks"
size=$(wc -c <"$1")
[ "$size" -le $((65536 + 6400)) ] || fail "$size bytes of 100 events"

# A rank that is killed leaves what it did.
killed=1 HX_TRACE=$work/killed trace killed killed

# A file is not replaced that halogen did not write; one that it wrote is.
"$halogen" trace merge "$work/bounded" -o "$work/bounded.json" >/dev/null || fail "a second merge"
echo mine >"$work/mine"
"$halogen" trace merge "$work/bounded" -o "$work/mine" >"$work/log" 2>&1 && fail "somebody else's file was replaced"

# Files that are cut, or changed, are refused in words, or read as far as they make sense.
whole=$work/by-dimension/rank-00001.hxtrace
mkdir "$work/cut"
for bytes in 0 15 16 100 5000 40000 60000 70001; do
    head -c "$bytes" "$whole" >"$work/cut/rank-00001.hxtrace"
    "$halogen" trace merge "$work/cut" >"$work/log" 2>&1
    code=$?
    [ "$code" = 2 ] || [ "$code" = 0 ] || fail "code $code of a file of $bytes bytes: $(cat "$work/log")"
done
"$python" - "$whole" "$work/cut/rank-00001.hxtrace" "$halogen" "$work/cut" <<'PYTHON' || exit 1
import random, subprocess, sys
whole, path, halogen, folder = open(sys.argv[1], "rb").read(), *sys.argv[2:]
chance = random.Random(5)
for _ in range(30):
    changed = bytearray(whole)
    for _ in range(chance.randrange(1, 200)):
        changed[chance.randrange(16, len(changed) if chance.random() < 0.5 else 60000)] = chance.randrange(256)
    open(path, "wb").write(changed)
    code = subprocess.run([halogen, "trace", "merge", folder, "-o", folder + "/out.json"], capture_output=True).returncode
    if code not in (0, 2):
        sys.exit(f"FAIL code {code} of a file that was changed")
PYTHON
"$halogen" trace merge "$work/nowhere" >"$work/log" 2>&1 && fail "a directory that is not there"
grep -q "nowhere: No such file" "$work/log" || fail "$(cat "$work/log")"
mkdir "$work/empty"
"$halogen" trace merge "$work/empty" >"$work/log" 2>&1 && fail "a directory without traces"
grep -q 'run the program with HX_TRACE=DIR' "$work/log" || fail "$(cat "$work/log")"

# A directory that cannot be made does not fail the run.
HX_TRACE=$work/mine/sub "$here/../mpirun.sh" 1 "$program" "$work" >"$work/log" 2>&1 || fail "$(tail -n 5 "$work/log")"
grep -q "HX_TRACE on rank 0: $work/mine/sub cannot be made: Not a directory" "$work/log" || fail "$(cat "$work/log")"
