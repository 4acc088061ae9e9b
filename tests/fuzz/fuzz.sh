#!/bin/sh
# Builds the fuzzer of fuzz.c with clang's libFuzzer, AddressSanitizer and UndefinedBehaviorSanitizer, runs it, and says
# how many specs it tried, what they reached, and which one failed.  It begins with the specs of corpus/ and with wrong ones
# that wrong.lua makes; a run of a minute or more also with those of ../emit.
#
# usage: fuzz.sh DIRECTORY SECONDS      all files go to the directory; if it has a directory `found`, specs that reach
#                                       something new are kept there, for the next run
set -u
root=$(cd "$(dirname "$0")/../.." && pwd) seconds=$2
mkdir -p "$1" || exit 1
directory=$(cd "$1" && pwd)
cd "$directory" || exit 1

if ! command -v clang >/dev/null; then
    echo "skipped: there is no clang"
    exit 77
fi
# What is compiled slowly and runs fast only pays in a long run: most of the time goes to Lua, which is compiled already.
[ "$seconds" -ge 60 ] && optimize='-O1 -g' seeds=$root/tests/emit/specs || optimize='-O0 -gline-tables-only' seeds=
flags="-std=c11 $optimize -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all"
echo 'int LLVMFuzzerTestOneInput(const char *d, unsigned long n); int LLVMFuzzerTestOneInput(const char *d, unsigned long n)
{ return d == (void *)n; }' >probe.c
# shellcheck disable=SC2086 # lists of words, here and below
if ! clang $flags probe.c -o probe 2>probe.said; then
    echo "skipped: clang has no libFuzzer: $(head -n 1 probe.said)"
    exit 77
fi

# ---- build ----

lua=$(pkg-config --cflags --libs lua5.4 2>/dev/null || pkg-config --cflags --libs lua) || exit 1
clang -o bake "$root/gen/bake.c" && 
    find "$root/gen/lua" "$root/templates" -name "*.lua" -o -name "*.tmpl" | xargs ./bake baked.c || exit 1
sources=$(find "$root/gen" -name '*.c' ! -path '*/integration/*' ! -path '*/explain/*' ! -name main.c ! -name bake.c \
    ! -name coverage.c)
# `halogen explain` computes with files of libhx, which have folders of the same names as the generator.
computing=$(sed -n "s|^  '\(explain/.*\.c\)',|$root/gen/\1|p; s|^  '\.\./\(runtime/.*\.c\)',|$root/\1|p" "$root/gen/meson.build")
mkdir -p explain
# shellcheck disable=SC2086
(cd explain && clang $flags -D_POSIX_C_SOURCE=200809L -I"$root/gen/explain/types" -I"$root/runtime/include" -I"$root/runtime" \
    -I"$root/gen" ${lua%% -l*} -c $computing) || exit 1
# The flags of _exit and lua_sethook are explained in fuzz.c.  The formats of traces are libhx's.
# shellcheck disable=SC2086
clang $flags -D_XOPEN_SOURCE=700 '-DHALOGEN_VERSION="fuzz"' '-DHALOGEN_ANNOTATIONS=""' -I"$root/gen" -I"$root/runtime" -Wl,--wrap=_exit \
    -Wl,--wrap=lua_sethook "$root/tests/fuzz/fuzz.c" baked.c $sources explain/*.o $lua -o fuzz || exit 1

# ---- run ----

rm -rf crash-* leak-* timeout-* oom-* slow-unit-* wrong
mkdir wrong
"$(command -v lua5.4 || command -v lua)" "$root/tests/fuzz/wrong.lua" --write wrong "$seconds" || exit 1
# Stacks of every allocation would take half of the time; a crash that is tried again by itself shows them.
export ASAN_OPTIONS="${ASAN_OPTIONS:-}:malloc_context_size=2:quarantine_size_mb=8:max_malloc_fill_size=0"
if [ -d found ]; then
    set -- found
else
    rm -rf new
    mkdir new
    set -- new # which only this run keeps
fi
set -- "$@" wrong "$root/tests/fuzz/corpus" ${seeds:+"$seeds"}
./fuzz "$@" -dict="$root/tests/fuzz/words.dict" -max_total_time="$seconds" -timeout=20 \
    -rss_limit_mb=2048 -max_len=4096 -report_slow_units=20 -print_final_stats=1 >log 2>&1
status=$?

runs=$(sed -n 's/^stat::number_of_executed_units: *//p' log)
edges=$(sed -n 's/.*Loaded 1 modules *(\([0-9]*\) inline.*/\1/p' log)
last=$(grep -o 'cov: [0-9]* ft: [0-9]*' log | tail -n 1)
echo "${runs:-no} runs; ${last:-no coverage} (of $edges branches of C; features are these, by how often, and lines of Lua)"
if [ "$status" -ne 0 ]; then
    awk '/^fuzz: |ERROR: |runtime error: / { found = 1 } found' log | head -n 60
    echo "failed, with status $status; the spec, if it was one: $(find "$directory" -maxdepth 1 -name '*-*' -type f)"
    exit 1
fi
