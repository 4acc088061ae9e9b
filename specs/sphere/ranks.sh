#!/bin/sh
# Runs test 5 on 1 to 24 ranks, and compares all bits of the final states by their checksums; then the sea at rest:
# ranks.sh SPHERE DIRECTORY CELLS HOURS
# Leaves a picture in the directory.
set -eu

sphere=$1
directory=$2
cells=$3
hours=$4
mpirun=$(dirname "$0")/../../tests/mpirun.sh

expected=
run() {
    ranks=$1
    shift
    log=$(sh "$mpirun" "$ranks" "$sphere" 5 "$cells" "$hours" "$@") || {
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
    echo "$log" | sed -n 's/^sphere.* cells in/checksum '"$checksum"' on/; s/, [^,]*$//p; q'
}

run 1 "$directory/sphere.png"
run 2 3 2
run 3
HX_TRANSPORT=p2p run 4
run 7 1 1
run 24
echo 'equal, bit for bit: the final states of 1 to 24 ranks'

echo
log=$(sh "$mpirun" 2 "$sphere" 0 "$cells" "$hours") || {
    status=$?
    echo "$log"
    exit $status
}
echo "$log"
echo "$log" | awk '$1 == "error" { still = $7 < 1e-12 } END { exit !still }' || {
    echo 'the sea at rest does not stay so'
    exit 1
}
