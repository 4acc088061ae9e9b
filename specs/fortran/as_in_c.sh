#!/bin/sh
# Runs the wave in C on 1 rank and in Fortran on 1, 3 and 4, and compares all bits of the final states by their checksums:
# as_in_c.sh WAVE_IN_C WAVE_IN_FORTRAN NX NY NZ STEPS
set -eu

. "$(dirname "$0")/../common/launch.sh"

in_c=$1
in_fortran=$2
shift 2
launch_alike 1 "$in_c" --cells "$1" "$2" "$3" --steps "$4"
for ranks in 1 3 4; do
    launch_alike "$ranks" "$in_fortran" "$@"
done
echo "$log"
echo 'equal, bit for bit: the final states of C on 1 rank and of Fortran on 1, 3 and 4'
