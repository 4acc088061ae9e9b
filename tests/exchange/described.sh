#!/bin/sh
# tests/exchange/described.sh RANKS PROGRAM PYTHON DOCUMENT: described.py on what a run says of itself.
set -u
ranks=$1 program=$(realpath "$2") python=$3 document=$4
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
    echo "FAIL $*"
    exit 1
}

# No file is asked for, and nothing is clocked.
mkdir "$work/plain" "$work/asked" "$work/failed"
"$here/../mpirun.sh" "$ranks" "$program" "$work/plain" >"$work/log" 2>&1 || fail "$(tail -n 5 "$work/log")"
"$python" "$here/described.py" "$document" "$work/plain" "$ranks" plain || exit 1

# A path without a folder is one of the folder in which the program began.
cd "$work/asked" || exit 1
for case in one-phase:run.json "by-dimension:$work/asked/run.json"; do
    HX_DESCRIBE=${case#*:} HX_SCHEDULE=${case%%:*} "$here/../mpirun.sh" "$ranks" "$program" "$work/asked" \
        >"$work/log" 2>&1 || fail "$(tail -n 5 "$work/log")"
    "$python" "$here/described.py" "$document" "$work/asked" "$ranks" timed || exit 1
    rm "$work/asked"/*
done

# A file that cannot be written does not fail the run.
HX_DESCRIBE=$work/nowhere/run.json "$here/../mpirun.sh" "$ranks" "$program" "$work/failed" >"$work/log" 2>&1 ||
    fail "a file that cannot be written ended the run: $(tail -n 5 "$work/log")"
grep -q "HX_DESCRIBE: The file $work/nowhere/run.json cannot be written: No such file or directory" "$work/log" ||
    fail "nothing is said of a file that cannot be written: $(cat "$work/log")"

# Nor does a rank that comes late: the file has null for it.
[ "$ranks" -gt 1 ] || exit 0
mkdir "$work/late"
HX_DESCRIBE=$work/late/run.json HX_DEADLINE=4 "$here/../mpirun.sh" "$ranks" "$program" "$work/late" late >"$work/log" 2>&1 ||
    fail "a rank that came late ended the run: $(tail -n 5 "$work/log")"
grep -q "1 of $ranks ranks told nothing before the deadline of 4 s; $work/late/run.json has null for them." "$work/log" ||
    fail "nothing is said of a rank that came late: $(cat "$work/log")"
"$python" -c '
import json, sys
told = [run is not None for run in json.load(open(sys.argv[1]))["ranks"]]
sys.exit(told != [rank != 1 for rank in range(len(told))] and f"FAIL told: {told}")' "$work/late/run.json" || exit 1

# A name of a file that is not UTF-8 has U+FFFD in place of each byte that is of no character.
[ "$ranks" -eq 2 ] || exit 0
mkdir "$work/odd"
HX_DESCRIBE=$work/odd/run.json "$here/../mpirun.sh" "$ranks" "$program" "$work/odd" odd >"$work/log" 2>&1 || fail "$(tail -n 5 "$work/log")"
"$python" -c '
import json, sys
named = [run["file"] for run in json.load(open(sys.argv[1], encoding="utf-8"))["ranks"]]
wanted = "d\u00e9j\u00e0 " + 3 * "\ufffd" + "/" + 5 * "\ufffd" + "\U0001f600.lua"
sys.exit(named != 2 * [wanted] and f"FAIL odd names: {named}")' "$work/odd/run-2.json" || exit 1

# A handle that cannot be described is told, and the next one is described.
for case in 'key:Asking to be called by MPI_Finalize' 'copy:Duplicating a communicator'; do
    mode=${case%%:*}
    mkdir "$work/$mode"
    HX_DESCRIBE=$work/$mode/run.json "$here/../mpirun.sh" "$ranks" "$program" "$work/$mode" "$mode" >"$work/log" 2>&1 ||
        fail "$mode: $(tail -n 5 "$work/log")"
    grep -q "HX_DESCRIBE: .*${case#*:}" "$work/log" || fail "$mode: nothing is said: $(cat "$work/log")"
    [ ! -e "$work/$mode/run.json" ] || fail "$mode: the first handle is described"
    "$python" -c 'import json, sys; json.load(open(sys.argv[1]))' "$work/$mode/run-2.json" || fail "$mode: the second handle is not described"
done
