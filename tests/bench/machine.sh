#!/bin/sh
# Measures this machine for halogen explain: tests/bench/machine.sh BUILD_DIR LUA FILE [--compare]
#
# Writes FILE, a machine file with the lines exchange, self and shared, from exchanges of two ranks, each on a processor of its own.
# With --compare all cases of the benchmark are measured, too, in turn with those from which FILE is made, and each time is printed
# beside the one that halogen explain predicts with FILE; it ends with 1 where fewer than 9 of 10 are within 30 %.
# What was measured stays in BUILD_DIR/machine.txt and cases.txt.
set -eu

build=$(realpath "$1") lua=$2 file=$3 compare=${4:-}
here=$(realpath "$(dirname "$0")")
halogen=$build/gen/halogen
export LUA_PATH="$here/?.lua;$here/../../gen/lua/?.lua"

if [ "$(nproc)" -lt 2 ]; then
    echo "skipped: two ranks on one processor measure the scheduler, not the exchange"
    exit 77
fi

# pass NUMBERS PLACE [OPTION...]: one more time for each case, with arrays that begin elsewhere in a page
pass() {
    numbers=$1 place=$2
    shift 2
    DEDICATED=1 LIMIT=600 "$here/../mpirun.sh" 2 "$build/tests/bench/bench" -w hx-shared -p "$place" -r 1 -t 0.02 -o "$build/pass.txt" "$@" >"$build/pass.log" ||
        { cat "$build/pass.log"; exit 1; }
    cat "$build/pass.txt" >>"$numbers"
}

rm -f "$build/machine.txt" "$build/cases.txt"
passes=5
[ "$compare" != --compare ] || passes=7
for number in $(seq $passes); do
    echo "measuring, $number of $passes"
    pass "$build/machine.txt" $((number - 1)) -m
    [ "$compare" != --compare ] || pass "$build/cases.txt" $((number - 1))
done

[ -f "$build/cases.txt" ] && numbers="$build/machine.txt $build/cases.txt" || numbers=$build/machine.txt
# shellcheck disable=SC2086 # a list of files
flag=$("$lua" -e 'print(require("cases").usual_flag(table.unpack(arg)))' - $numbers)
processor=$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -n 1)
"$lua" "$here/fit_machine.lua" "$halogen" "$here/specs" "$build/machine.txt" "$flag" "$file" \
    "measured by ./dev bench --machine on $(date -u +%Y-%m-%d), ${processor:-a processor without a name}, 2 ranks at work"
echo "wrote $file"
[ "$compare" != --compare ] || "$lua" "$here/compare.lua" "$halogen" "$here/specs" "$build/cases.txt" "$flag" "$file"
