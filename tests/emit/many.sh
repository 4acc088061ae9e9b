#!/bin/sh
# A spec of 500 fields is generated in 3 seconds of a processor's time, and what comes out compiled in 30.
#
# usage: many.sh HALOGEN SOURCE_ROOT WORK_DIR      CPATH and its like name the headers of hx and of MPI
set -u
halogen=$(realpath "$1") spec=$2/tests/emit/many.lua work=$3
patience=${HALOGEN_PATIENCE:-1}
# The machine may be busy with other things: halogen's own limit is on time that passes.
export HALOGEN_PATIENCE=$((20 * patience))
mkdir -p "$work"

if ! (ulimit -t $((3 * patience)) && "$halogen" "$spec" -o "$work"); then
    echo "FAIL 500 fields: not generated in $((3 * patience)) seconds"
    exit 1
fi
if ! (ulimit -t 30 && gcc -std=c11 -O2 -c "$work/many.c" -o "$work/many.o"); then
    echo "FAIL 500 fields: not compiled in 30 seconds"
    exit 1
fi
echo "1 passed, 0 failed"
