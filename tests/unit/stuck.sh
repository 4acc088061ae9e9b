#!/bin/sh
# A rank that waits inside a call of MPI for another one that never comes ends in time, says what it waits for, and ends
# the job.
#
#   stuck.sh MPIRUN.SH STUCK
set -u

mpirun=$1
program=$2
said=$(mktemp)
trap 'rm -f "$said"' EXIT
failures=0
export HX_DEADLINE_EXIT=1 LIMIT=40

# try TRANSPORT WHAT-RANK-0-DOES CALL: the deadline holds for create, too, in which a busy machine may keep a rank; then it is
# tried again with a longer one.
try() {
    for HX_DEADLINE in 1 6; do
        export HX_DEADLINE
        ends_in_words "$1" "$2" "$3" && return
    done
    echo "$1, $2: status $status after $took seconds, expected $3; it said: $(cat "$said")"
    failures=$((failures + 1))
}

ends_in_words() {
    before=$(date +%s)
    "$mpirun" 2 "$program" "$1" "$2" >"$said" 2>&1
    status=$?
    took=$(($(date +%s) - before))
    [ "$status" = 77 ] && cat "$said" && exit 77
    [ "$status" != 0 ] && [ "$took" -lt 30 ] &&
        grep -qE "^libhx: Exchange \"both\": after $HX_DEADLINE seconds? rank 1 still waits in $3\.  Do all .* ends this process\.$" "$said"
}

try rma none 'MPI_Win_flush for rank 0'
try rma-get none 'MPI_Win_flush for rank 0'
try rma-fence none 'MPI_Win_fence for all other ranks'
try rma-fence started 'MPI_Win_fence for all other ranks'
try rma-pscw none 'MPI_Win_(start|complete) for rank 0'
# MPICH's complete waits until the peer has let go of its window.
try rma-pscw started 'MPI_Win_(complete|wait) for rank 0'

echo "$failures failures"
[ "$failures" = 0 ]
