#!/bin/sh
# The deadline: every finish that cannot end returns in time and says for whom it waits, the job ends, and nothing is
# left in the nodes' shared memory.  Runs in a cluster of three nodes of two ranks.
#
#   late.sh MPIRUN.SH LATE TRANSPORT
set -u

mpirun=$1
program=$2
export HX_TRANSPORT="$3"
said=$TMPDIR/said
failures=0
export LIMIT=60

fail() {
    echo "$HX_TRANSPORT, $*"
    failures=$((failures + 1))
}

# begin MODE: starts the job, in the background.
begin() {
    "$mpirun" 6 "$program" "$1" >"$said" 2>&1 &
    job=$!
}

# wait_for PATTERN: in what the job says.
wait_for() {
    until grep -q "$1" "$said"; do
        kill -0 "$job" 2>/dev/null || return
        sleep 0.05
    done
}

# The programs that still run in a node, and what is in its shared memory.
left_in() {
    "$CLUSTER" in "$1" sh -c 'cat /proc/[0-9]*/comm 2>/dev/null | grep -E "^(late|orted)"; ls -A /dev/shm'
}

# end MODE STATUS: the status of the job, and what it left.
end() {
    wait "$job"
    status=$?
    [ "$status" = "$2" ] || fail "$1: status $status, expected $2; it said: $(cat "$said")"
    for k in 1 2 3; do
        tries=0
        while [ -n "$(left_in "$k")" ] && [ $((tries += 1)) -lt 50 ]; do sleep 0.1; done
        [ -z "$(left_in "$k")" ] || fail "$1: left in node$k: $(left_in "$k")"
    done
}

# expect MODE PATTERN...: each is in what some rank said when it gave up; all ranks that did so in time, and could destroy.
expect() {
    mode=$1
    shift
    for pattern in "$@"; do
        grep -qE "$pattern" "$said" || fail "$mode: nobody says '$pattern'; it said: $(cat "$said")"
    done
    awk -v least="$HX_DEADLINE" '
        / waited /    { ++waited; late += $4 < least - 0.1 || $4 > least + 20 }
        / destroyed:/ { ++destroyed; late += $4 != "HX_OK" || $6 > 20 }
        END           { exit !(waited > 0 && waited == destroyed && late == 0) }' "$said" ||
        fail "$mode: not in time: $(cat "$said")"
}

export HX_DEADLINE=1

begin order
end order 3
expect order '"first".* rank 0 still waits for .* rank 1 ' '"second".* rank 1 still waits for .* rank 0 '

begin missing
end missing 3
expect missing ' rank 1 still waits for .* rank 0 ' ' rank 5 still waits for .* rank 0 '

# With recovery, since else mpirun would end the job at once; with it, mpirun does not know when to.
export OMPI_MCA_orte_enable_recovery=1
begin killed
wait_for '^rank 0 destroyed'
wait_for '^rank 2 destroyed'
kill "$job"
end killed 1
unset OMPI_MCA_orte_enable_recovery
expect killed ' rank 0 still waits for .* rank 1' ' rank 2 still waits for .* rank 1 '

begin long
wait_for '^under way'
"$CLUSTER" cut 2
end cut 3
"$CLUSTER" heal 2
expect cut ' (rank 1 still waits for .* rank 2 |rank 2 still waits for .* rank 1 )' \
    ' (rank 3 still waits for .* rank 4 |rank 4 still waits for .* rank 3 )'

export HX_DEADLINE=20
begin long
wait_for '^under way'
"$CLUSTER" cut 2
sleep 1
"$CLUSTER" heal 2
end 'cut and healed' 0

echo "$failures failures"
[ "$failures" = 0 ]
