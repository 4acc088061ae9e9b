#!/bin/sh
# Writes the specs of one program, what halogen makes of them, and the oracle's tables:
#
#   batch.sh LUA HALOGEN SEED FIRST COUNT DIRECTORY [OPTION OF HALOGEN...]
#
# DIRECTORY/r21.lua, r21.h, r21.c, … and DIRECTORY/tables_21.c for FIRST 21.
set -eu

lua=$1
halogen=$2
seed=$3
first=$4
count=$5
directory=$6
shift 6

"$lua" "$(dirname "$0")/generate.lua" "$seed" "$first" "$count" "$directory"
number=$first
while [ "$number" -lt $((first + count)) ]; do
    spec=$directory/r$number
    # A field that is in no exchange is worth a warning, which is as it should be.
    if ! said=$("$halogen" "$spec.lua" -o "$directory" --keep-unchanged "$@" 2>&1); then
        echo "halogen refuses random spec $number of seed $seed, $spec.lua:"
        echo "$said"
        exit 1
    fi
    number=$((number + 1))
done
