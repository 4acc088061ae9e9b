#!/bin/sh
# Runs a program on 1 to 4 ranks, and compares all bits of the final states by their checksums: ranks.sh PROGRAM [ARGUMENT...]
set -eu

. "$(dirname "$0")/../common/launch.sh"

for ranks in 1 2 3 4; do
    launch_alike "$ranks" "$@"
done
echo "$log"
echo 'equal, bit for bit: the final states of 1 to 4 ranks'
