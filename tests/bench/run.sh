#!/bin/sh
# Measures halo exchanges on 2 ranks, each on a processor of its own: tests/bench/run.sh BUILD_DIR [OPTION...]
#
# OPTIONs are those of the program (see main.c), as in -c 64,1,1.  The table goes to standard output, the numbers also to
# BUILD_DIR/bench.txt, one line per case, split and variant.  MPIRUN names the launcher, as for tests/mpirun.sh.
set -eu

build=$1
shift
program=$build/tests/bench/bench

if [ ! -x "$program" ]; then
    echo "$program is missing; build first: ninja -C $build" >&2
    exit 2
fi
if [ "$(nproc)" -lt 2 ]; then
    echo "skipped: two ranks on one processor measure the scheduler, not the exchange"
    exit 77
fi
DEDICATED=1 LIMIT=1800 exec "$(dirname "$0")/../mpirun.sh" 2 "$program" -o "$build/bench.txt" "$@"
