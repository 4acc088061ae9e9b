#!/bin/sh
# Measures halo exchanges, each rank on a processor of its own: tests/bench/run.sh BUILD_DIR [sphere] [OPTION...]
#
# Without a name both programs run, on 2 ranks, and "sphere" on 1 rank as well; with the name "sphere" that one only.  OPTIONs
# are those of the program (see main.c and sphere.c), as in -c 64,1,1, and then there is no other program.  Tables go to standard
# output, the numbers of both also to BUILD_DIR/bench.txt and sphere_RANKS.txt.  MPIRUN names the launcher, as for tests/mpirun.sh.
set -eu

build=$1
shift
here=$(dirname "$0")

if [ ! -x "$build/tests/bench/bench" ] || [ ! -x "$build/tests/bench/sphere" ]; then
    echo "$build/tests/bench lacks a program; build first: ninja -C $build" >&2
    exit 2
fi
if [ "$(nproc)" -lt 2 ]; then
    echo "skipped: two ranks on one processor measure the scheduler, not the exchange"
    exit 77
fi

status=0
measure() { # ranks program numbers [OPTION...]
    ranks=$1 program=$2 numbers=$3
    shift 3
    DEDICATED=1 LIMIT=1800 "$here/../mpirun.sh" "$ranks" "$build/tests/bench/$program" -o "$build/$numbers" "$@" || status=$?
}

name=${1:-both}
[ "$name" != sphere ] || shift
if [ "$name" != sphere ]; then
    measure 2 bench bench.txt "$@"
fi
if [ "$name" = sphere ] || [ "$name" = both ]; then
    measure 1 sphere sphere_1.txt "$@"
    measure 2 sphere sphere_2.txt "$@"
fi
exit "$status"
