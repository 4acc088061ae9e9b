#!/bin/sh
# Runs on 1 to 6 ranks, and compares all bits of the final states by their checksums: ranks.sh TRIPOLAR DIRECTORY COLUMNS TURNS
# Leaves a picture in the directory.
set -eu

tripolar=$1
directory=$2
columns=$3
turns=$4
mpirun=$(dirname "$0")/../../tests/mpirun.sh

expected=
for ranks in 1 2 3 4 6; do
    log=$(sh "$mpirun" "$ranks" "$tripolar" "$columns" "$turns" "$directory/tripolar.png") || {
        status=$?
        echo "$log"
        exit $status
    }
    [ -n "$expected" ] || printf '%s\n\n' "$log"
    checksum=$(echo "$log" | awk '$1 == "checksum" { print $2 }')
    if [ -z "$checksum" ] || [ "$checksum" != "${expected:=$checksum}" ]; then
        echo "on $ranks ranks the final state is another one than on 1"
        exit 1
    fi
    echo "$log" | sed -n 's/^tripolar.* cells in/checksum '"$checksum"' on '"$ranks"' ranks, in/; s/, [^,]*$//p; q'
done
echo 'equal, bit for bit: the final states of 1 to 6 ranks'
