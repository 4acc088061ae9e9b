#!/bin/sh
# Runs on 1 to 6 ranks, and compares all bits of the final states by their checksums: ranks.sh TRIPOLAR DIRECTORY COLUMNS TURNS
# Leaves a picture in the directory.
set -eu

tripolar=$1
directory=$2
columns=$3
turns=$4
. "$(dirname "$0")/../common/launch.sh"

launch_alike 1 "$tripolar" "$columns" "$turns" "$directory/tripolar.png"
printf '%s\n\n' "$log"
for ranks in 2 3 4 6; do
    launch_alike "$ranks" "$tripolar" "$columns" "$turns"
    echo "$log" | sed -n 's/^tripolar.* cells in/checksum '"$checksum"' on '"$ranks"' ranks, in/; s/, [^,]*$//p; q'
done
echo 'equal, bit for bit: the final states of 1 to 6 ranks'
