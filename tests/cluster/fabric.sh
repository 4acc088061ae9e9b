#!/bin/sh
# Times that halogen explain predicts for exchanges between machines, against those that hosts of a cluster take, whose network has
# known delays and rates: at one switch, and at several with narrow lines between them.  Runs in a cluster of six hosts with two ranks
# each; ends with 1 where one time of ten is farther off than 25 %.
#
#   fabric.sh MPIRUN.SH HALOGEN PROGRAM SPEC
set -eu
mpirun=$1 halogen=$2 program=$3 spec=$4
export LIMIT="${LIMIT:-280}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# network MILLISECONDS MEGABYTES-PER-SECOND [N UPLINK]: shapes it, and writes the machine file.  Delay is what a ping-pong measures.
network() {
    rate=$(awk "BEGIN { print 8 * $2 }")mbit
    if [ $# -eq 2 ]; then
        "$CLUSTER" slow "$1" "$rate"
        words="$1 ms, $2 MB/s"
    else
        "$CLUSTER" tree "$1" "$rate" "$3" "$(awk "BEGIN { print 8 * $4 }")mbit"
        words="$1 ms, $2 MB/s, $4 MB/s from each $3 hosts"
    fi
    latency=$("$mpirun" 4 "$program" pingpong)
    {
        echo 'halogen-machine 1'
        echo 'exchange latency_us=20'
        echo 'self latency_us=0.2 run_ns=5 gigabytes_per_second=2'
        echo 'shared latency_us=5 gigabytes_per_second=1'
        echo "network latency_us=$latency eager_kib=64 gigabytes_per_second=$(awk "BEGIN { print $2 / 1000 }")"
        echo "uplink nodes=1 gigabytes_per_second=$(awk "BEGIN { print $2 / 1000 }")"
        [ $# -eq 2 ] || echo "uplink nodes=$3 gigabytes_per_second=$(awk "BEGIN { print $4 / 1000 }")"
    } >"$work/machine"
}

# compare HOSTS X Y Z
compare() {
    ranks=$((2 * $1))
    took=$("$mpirun" "$ranks" "$program" "$2" "$3" "$4")
    told=$("$halogen" explain "$spec" --cells "$2,$3,$4" --ranks "$ranks" --node 2 --machine "$work/machine" --format json |
        python3 -c 'import json, sys; print(json.load(sys.stdin)["exchange"][0]["total"]["predicted"]["microseconds"])')
    echo "$words|$1|$2 x $3 x $4|$took|$told" | awk -F'|' '{
        printf "| %s | %s | %s | %.2f | %.2f | %.2f |\n", $1, $2, $3, $4 / 1000, $5 / 1000, $5 / $4
        exit !($5 / $4 > 0.75 && $5 / $4 < 1.25) }' || failed=$((failed + 1))
}

echo '| network | hosts | cells | measured, ms | predicted, ms | ratio |'
echo '|---|---|---|---|---|---|'
network 20 3
compare 2 32 32 32
compare 3 48 48 36
compare 4 48 48 48
compare 6 60 48 48
network 30 10
compare 2 96 64 64
compare 4 96 96 64
compare 6 96 96 96
network 20 3 2 1.5
compare 4 48 48 48
compare 6 60 48 48
network 20 3 3 1.5
compare 6 60 60 60
echo "$failed of 10 are farther off than 25 %"
[ "$failed" -le 1 ]
