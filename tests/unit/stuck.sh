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
export HX_DEADLINE=1 HX_DEADLINE_EXIT=1 LIMIT=20

# try TRANSPORT WHAT-RANK-0-DOES CALL
try() {
    before=$(date +%s)
    "$mpirun" 2 "$program" "$1" "$2" >"$said" 2>&1
    status=$?
    took=$(($(date +%s) - before))
    [ "$status" = 77 ] && cat "$said" && exit 77
    if [ "$status" = 0 ] || [ "$took" -ge 15 ] ||
        ! grep -qE "^libhx: Exchange \"both\": after 1 second rank 1 still waits in $3\.  Do all .* ends this process\.$" "$said"; then
        echo "$1, $2: status $status after $took seconds, expected $3; it said: $(cat "$said")"
        failures=$((failures + 1))
    fi
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
