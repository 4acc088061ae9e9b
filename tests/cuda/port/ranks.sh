#!/bin/sh
# Each step of docs/gpu-port.md prints what the program before it does: ranks.sh BEFORE STEP1 STEP2 STEP3
set -eu
mpirun=$(dirname "$0")/../../mpirun.sh
cells=19 steps=12
expected=$("$1" "$cells" "$steps")
case $expected in
middle*) ;;
*)
    echo "FAIL the program before prints '$expected'"
    exit 1
    ;;
esac

alike() { # ranks, program
    said=$(sh "$mpirun" "$1" "$2" "$cells" "$steps") || {
        status=$?
        echo "$said"
        exit $status
    }
    if [ "$said" != "$expected" ]; then
        echo "FAIL $2 on $1 ranks prints '$said', not '$expected'"
        exit 1
    fi
    echo "$(basename "$2") on $1 ranks: $said"
}

alike 1 "$2"
alike 4 "$3"
FAKE_CUDA_ORDER=lazy alike 3 "$4"
FAKE_CUDA_ORDER=7 alike 4 "$4"
