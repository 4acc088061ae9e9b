#!/bin/sh
# Stops a run and starts it again on other ranks, with another halo, on other blocks; the last state has the bits of a run
# that was not stopped: restart.sh HEAT DIRECTORY CELLS STEPS [--netcdf]
set -eu

heat=$1
directory=$2
cells=$3
half=$4
shift 4
. "$(dirname "$0")/../common/launch.sh"
files=$(mktemp -d "$directory/restart.XXXXXX")
trap 'rm -rf "$files"' EXIT

for grid in box sphere fold; do
    expected=
    launch_alike 1 "$heat" "$grid" 1 "$cells" 1 0 $((2 * half))
    launch 3 "$heat" "$grid" 1 "$cells" 2 0 "$half" "$@" --to "$files/$grid"
    launch_alike 2 "$heat" "$grid" 2 "$cells" 3 4 "$half" "$@" --from "$files/$grid"
    launch 2 "$heat" "$grid" 2 "$cells" 3 1 "$half" "$@" --to "$files/again"
    cmp "$files/$grid" "$files/again"
    echo "$grid: checksum $checksum with and without a restart; files of 3 and 2 ranks are the same bytes"
done
