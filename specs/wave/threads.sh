#!/bin/sh
# Runs the wave with 3 threads on 1 and 2 ranks, and compares every bit of the final states with those of one thread:
# threads.sh WAVE WAVE_OPENMP DIRECTORY [OPTION...]
set -eu

wave=$1
openmp=$2
directory=$3
shift 3
. "$(dirname "$0")/../common/launch.sh"
states=$(mktemp -d "$directory/states.XXXXXX")
trap 'rm -rf "$states"' EXIT

launch 1 "$wave" "$@" --save "$states/one"
export OMP_NUM_THREADS=3
for ranks in 1 2; do
    launch "$ranks" "$openmp" "$@" --explain --save "$states/$ranks"
    echo "$log" | grep -E '^(wave|error|  threads)'
    echo "$log" | grep -q '^  threads: 3; those of the application'
    cmp "$states/one" "$states/$ranks"
done
echo "equal, bit for bit: the final states of 1 thread and of 3"
