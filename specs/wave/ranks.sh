#!/bin/sh
# Runs the wave on 4, 1 and 3 ranks and compares every bit of the final states: ranks.sh WAVE DIRECTORY [OPTION...]
# Leaves a picture in the directory.
set -eu

wave=$1
directory=$2
shift 2
. "$(dirname "$0")/../common/launch.sh"
states=$(mktemp -d "$directory/states.XXXXXX")
trap 'rm -rf "$states"' EXIT

sh "$mpirun" 4 "$wave" "$@" --blocks 2 2 1 --explain --save "$states/4" --picture "$directory/wave.png"
if [ "$(nproc)" -lt 4 ]; then
    echo
    echo "(4 ranks share $(nproc) processors here: most of the waiting is for a turn on one of them)"
fi
for ranks in 1 3; do
    echo
    echo "the same on $ranks"
    launch "$ranks" "$wave" "$@" --save "$states/$ranks"
    echo "$log" | grep -E '^(wave|error|checksum)'
    cmp "$states/4" "$states/$ranks"
done
for together in 1 2 0; do
    echo
    echo "the same on 3, with one exchange for several steps: --together $together"
    launch 3 "$wave" "$@" --together "$together" --save "$states/together"
    echo "$log" | grep -E '^(wave|error|checksum)'
    cmp "$states/4" "$states/together"
done
echo
echo "equal, bit for bit: the final states of 4, 1 and 3 ranks ($(wc -c <"$states/4") bytes each)"
