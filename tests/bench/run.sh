#!/bin/sh
# Measures halo exchanges, each rank on a processor of its own: tests/bench/run.sh BUILD_DIR [small|sphere|redistribute|gather|rebalance|ports|scale|fortran] [OPTION...]
#
# Without a name all programs run, on 2 ranks, and "sphere" on 1 rank as well; with the name "small", "sphere",
# "redistribute", "gather", "rebalance" or "ports" (those of tests/ports) or "fortran" (tests/fortran/cost.f90) that one only.
# OPTIONs are those of the program (see main.c, small.c and sphere.c), as in -c 64,1,1; without a name they are main.c's, and no
# other program runs.  Tables go to standard output, the numbers also to BUILD_DIR/bench.txt, small.txt and sphere_RANKS.txt.
# MPIRUN names the launcher, as for tests/mpirun.sh.
set -eu

build=$1
shift
here=$(dirname "$0")

for program in bench/bench bench/small bench/sphere bench/redistribute bench/gather bench/rebalance ports/star ports/multigrid ports/hydro; do
    if [ ! -x "$build/tests/$program" ]; then
        echo "$build/tests lacks $program; build first: ninja -C $build" >&2
        exit 2
    fi
done
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

measure_ports() {
    for port in star multigrid hydro; do
        DEDICATED=1 LIMIT=1800 "$here/../mpirun.sh" 2 "$build/tests/ports/$port" -b || status=$?
    done
}

# What a call of Fortran costs; 77: there is no compiler.
measure_fortran() {
    "$here/../fortran/run.sh" "$(realpath "$build")" ompi-c "$build/fortran" gfortran -O2 1 "$here/../fortran/cost.f90" \
        "$here/../emit/specs/channel.lua" || [ $? -eq 77 ] || status=1
}

case ${1:-} in
scale) # what single ranks of very many do when they make a handle
    exec "$build/tests/standin/scale"
    ;;
fortran)
    measure_fortran
    ;;
ports)
    measure_ports
    ;;
small)
    shift
    measure 2 small small.txt "$@"
    ;;
redistribute)
    shift
    measure 2 redistribute redistribute.txt "$@"
    ;;
gather)
    shift
    measure 2 gather gather.txt "$@"
    ;;
rebalance)
    shift
    measure 2 rebalance rebalance.txt "$@"
    ;;
sphere)
    shift
    measure 1 sphere sphere_1.txt "$@"
    measure 2 sphere sphere_2.txt "$@"
    ;;
*)
    measure 2 bench bench.txt "$@"
    if [ $# = 0 ]; then
        measure 2 small small.txt
        measure 1 sphere sphere_1.txt
        measure 2 sphere sphere_2.txt
        measure 2 redistribute redistribute.txt
        measure 2 gather gather.txt
        measure 2 rebalance rebalance.txt
        measure_ports
        measure_fortran
    fi
    ;;
esac
exit "$status"
