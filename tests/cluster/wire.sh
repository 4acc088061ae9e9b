#!/bin/sh
# What goes over the wire: as many bytes as links to other nodes have, and none of those inside a node, which do not go
# by its loopback interface, either.  Runs in a cluster of three nodes of two ranks.
#
#   wire.sh MPIRUN.SH WIRE
set -u

mpirun=$1
program=$2
said=$TMPDIR/said
failures=0

fail() {
    echo "$*"
    failures=$((failures + 1))
}

# The bytes that each node has sent so far, to others and by its loopback interface: data1 lo1 data2 ...
counters() {
    for k in 1 2 3; do
        "$CLUSTER" sent "$k" data
        "$CLUSTER" sent "$k" lo
    done | tr '\n' ' '
}

# Leaves in $added what a run of so many exchanges adds to the counters, and in $said what it prints.
run() {
    before=$(counters)
    "$mpirun" 6 "$program" "$1" >"$said" 2>"$said.errors" || fail "the program failed: $(cat "$said" "$said.errors")"
    added=$(echo "$before $(counters)" | awk '{ for (i = 1; i <= 6; ++i) printf "%d ", $(i + 6) - $i }')
}

# Starting and ending take some bytes, too: those of a run without exchanges.  A thirtieth more is what neighbor and rma
# take when they try at create whether they work, and what rma says beside its messages.
run 0
idle=$added

compare() {
    run 100
    for k in 1 2 3; do
        echo "$idle $added $(awk -v node="node$k" '$1 == node { a += $2; w += $3 } END { printf "%d %d", a, w }' "$said")" |
            awk -v k="$k" -v how="$1" '{
                data = $(2 * k + 5) - $(2 * k - 1); lo = $(2 * k + 6) - $(2 * k); across = $13; within = $14
                printf "%s, node%d: %d bytes to send to other nodes, %d sent; %d to send within, %d by loopback\n",
                    how, k, across, data, within, lo
                exit !(across > 1e6 && within > 1e6 && data >= across && data < 1.06 * across && lo < 0.02 * within)
            }' || fail "$1, node$k: the numbers do not fit"
    done
}

# expect_peers HOW WITHIN ACROSS: by what rank 0 reaches rank 1, in its node, and rank 5, in another.
expect_peers() {
    got=$(grep '^rank ' "$said" | sort -u | tr '\n' ' ')
    [ "$got" = "rank 1 by $2 rank 5 by $3 " ] || fail "$1: $got, expected $2 and $3"
}

# try TRANSPORT WITHIN ACROSS
try() {
    for schedule in one-phase by-dimension; do
        export HX_TRANSPORT="$1" HX_SCHEDULE="$schedule"
        compare "$1, $schedule"
        expect_peers "$1, $schedule" "$2" "$3"
    done
    unset HX_TRANSPORT HX_SCHEDULE
}

try p2p p2p p2p
try persistent persistent persistent
try neighbor neighbor neighbor
try shared shared persistent
try rma rma rma
try rma-get rma-get rma-get
try rma-fence rma-fence rma-fence
try rma-pscw rma-pscw rma-pscw
compare 'as libhx chooses'
expect_peers 'as libhx chooses' shared persistent

# With what Debian sets, Open MPI has no windows between nodes: rma gives way, and says so.
export HX_TRANSPORT=rma HX_LOG=1
export OMPI_MCA_osc='^ucx,pt2pt'
run 1
export OMPI_MCA_osc='^ucx'
unset HX_TRANSPORT HX_LOG
expect_peers 'without windows' persistent persistent
grep -q 'travels by persistent, not by rma: .*MPI_Win_allocate' "$said.errors" || fail "no word: $(cat "$said.errors")"
grep -q 'travels by persistent.*set OMPI_MCA_osc=^ucx' "$said.errors" || fail "no way out: $(cat "$said.errors")"

# expect_schedule RANKS WORDS
expect_schedule() {
    "$mpirun" "$1" "$program" 1 2>/dev/null | grep "^phases" >"$said"
    grep -q "$2" "$said" || fail "$1 ranks: '$(cat "$said")', expected '$2'"
}

expect_schedule 6 '^phases 1,.*ranks are on several machines'
expect_schedule 2 '^phases 3,.*all ranks are on one machine'

echo "$failures failures"
[ "$failures" = 0 ]
