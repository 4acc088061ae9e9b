#!/bin/sh
# What shorter numbers on the wire do to the ocean of specs/ocean: bytes and time of a step and of its exchanges alone, and how far its fields are from those
# of doubles after all steps, relative to the largest number of each field.  One line for each format and run, in turn.
#
# usage: wires.sh BUILD NX NY STEPS RUNS LAUNCHER...     LAUNCHER: what runs a program on ranks, as in `mpirun -n 2`
set -eu
build=$(realpath "$1") nx=$2 ny=$3 steps=$4 runs=$5
shift 5
root=$(realpath "$(dirname "$0")/../..")
work=$(mktemp -d "${TMPDIR:-/tmp}/wires.XXXXXX")
trap 'rm -rf "$work"' EXIT

for format in double float half bfloat16; do
    mkdir "$work/$format"
    sed "s/\(exchange .*\) }/\1, wire = \"$format\" }/; s/, wire = \"double\"//" "$root/specs/ocean/ocean.lua" >"$work/$format/ocean.lua"
    "$build/gen/halogen" "$work/$format/ocean.lua" -o "$work/$format" >/dev/null
    ${MPICC:-mpicc} -std=c11 "${OPTIMIZED:--O3}" -ffp-contract=off -D_POSIX_C_SOURCE=200809L -I"$work/$format" -I"$root/specs/ocean" -I"$root/runtime/include" \
        -I"$build/runtime" "$root/tests/bench/wires.c" "$root/specs/ocean/solver.c" "$root/specs/common/check.c" "$root/specs/common/checksum.c" \
        "$work/$format/ocean.c" "$build/runtime/libhx.a" -lm -lpthread -o "$work/$format/wires"
done
run=0
while [ "$run" -lt "$runs" ]; do
    for format in double float half bfloat16; do
        printf '%-9s' "$format"
        how=compare
        [ "$format" != double ] || how=write
        "$@" "$work/$format/wires" "$nx" "$ny" "$steps" "$how" "$work/fields"
    done
    run=$((run + 1))
done
