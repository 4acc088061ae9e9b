#!/bin/sh
# Runs test 5 on 1 to 24 ranks, and compares all bits of the final states by their checksums; then the sea at rest:
# ranks.sh SPHERE DIRECTORY CELLS HOURS
# Leaves a picture in the directory.
set -eu

sphere=$1
directory=$2
cells=$3
hours=$4
. "$(dirname "$0")/../common/launch.sh"

run() {
    ranks=$1
    shift
    launch_alike "$ranks" "$sphere" 5 "$cells" "$hours" "$@"
    echo "$log" | sed -n 's/^sphere.* cells in/checksum '"$checksum"' on/; s/, [^,]*$//p; q'
}

launch_alike 1 "$sphere" 5 "$cells" "$hours" "$directory/sphere.png"
printf '%s\n\n' "$log"
run 2 3 2
run 3
HX_TRANSPORT=p2p run 4
run 7 1 1
run 24
echo 'equal, bit for bit: the final states of 1 to 24 ranks'

echo
launch 2 "$sphere" 0 "$cells" "$hours"
echo "$log"
echo "$log" | awk '$1 == "error" { still = $7 < 1e-12 } END { exit !still }' || {
    echo 'the sea at rest does not stay so'
    exit 1
}
