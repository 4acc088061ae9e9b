#!/bin/sh
# Four ranks on four nodes, one of which does something else: `halogen trace why` tells which, behind a deadline and when
# all are asked by SIGUSR1.  Runs in a cluster; see ../exchange/hanging.c.
#
#   hang.sh MPIRUN.SH HANGING HALOGEN
set -u
mpirun=$1 program=$2 halogen=$3
work=$(mktemp -d /tmp/hang.XXXXXX) # $TMPDIR is another one on each node
run=
trap '[ -z "$run" ] || end; rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# With recovery, since else mpirun would end the job when a rank is killed.
export OMPI_MCA_orte_enable_recovery=1

# begin WHAT DEADLINE: a run in the background.  end: at once.
begin() {
    rm -rf "${work:?}"/*
    HX_DEADLINE=$2 HX_DEADLINE_REPORT=$work/waits "$mpirun" 4 "$program" "$work" "$1" stay >"$work/log" 2>&1 &
    run=$!
}
end() {
    signal_mpirun KILL
    for rank in 0 1 2 3; do signal $rank KILL; done
    { wait "$run"; } 2>/dev/null
    run=
}

# signal RANK SIGNAL
signal() {
    [ ! -s "$work/pid-$1" ] || "$CLUSTER" in $(($1 + 1)) kill -s "$2" "$(cat "$work/pid-$1")" 2>/dev/null
}

# signal_mpirun SIGNAL.  ask: as a user would.
signal_mpirun() {
    for name in /proc/[0-9]*/comm; do
        case $(cat "$name" 2>/dev/null) in
        mpirun* | orterun | prterun) kill -s "$1" "$(basename "${name%/comm}")" ;;
        esac
    done
}
ask() {
    signal_mpirun USR1
}

# says SENTENCE...: whether why says each of them, as patterns, where $reader looks: nowhere near, or in a node.
says() {
    # shellcheck disable=SC2086 # words
    $reader "$halogen" trace why "$work/waits" >"$work/said" 2>&1 || return 1
    for sentence; do
        grep -q "$sentence" "$work/said" || return 1
    done
}

# wait_for SENTENCE...: 1 if that takes too long.
wait_for() {
    try=0
    until says "$@"; do
        try=$((try + 1))
        [ "$try" -lt "$tries" ] || return 1
        sleep 0.1
    done
}

need() {
    tries=600
    wait_for "$@" && return
    echo "FAIL $what: nobody says '$sentence': $(cat "$work/said" "$work/log")"
    exit 1
}

# hang WHAT SENTENCE...: a run, and what is said behind its deadline.  That holds for the steps before, too: where the machine
# has no processor for a rank for so long, the run is made again with a longer one.
hang() {
    what=$1 reader=''
    shift
    for deadline in 1 5 25; do
        begin "$what" "$deadline"
        tries=$((deadline * 10 + 100))
        wait_for "$@" && return
        [ "$deadline" -eq 25 ] || end
    done
    need "$@"
}

# Rank 2 stops itself.  From elsewhere nobody sees that, until it does not answer; where it runs, why sees it.
hang stopped 'Look at rank 2 first: 3 others wait for it' \
    '^rank 2 is outside of exchanges; it last finished exchange "all" (.*lua:9), start 2' \
    '^Rank 1 waits for its start 3 of exchange "all" (.*lua:9); its last one was start 2\.' \
    '^  rank 1 gave up waiting for rank 2 in exchange "all" (.*lua:9), start 3' \
    '^  rank 3 gave up waiting for rank 2 in exchange "all" (.*lua:9), start 3'
ask
need 'Look at rank 2 first: 3 others wait for it' \
    '^rank 2 does not answer (process [0-9]* on node3); it is outside of exchanges' \
    '^It did not answer SIGUSR1, as 3 others did\.' '^It is stopped or gone, .*: call this command on node3'
reader="$CLUSTER in 3"
need '^rank 2 is stopped (process [0-9]* on node3); it is outside' '^It did not answer SIGUSR1, as 3 others did\.' \
    '^A signal or a debugger stopped it: kill -CONT'

# Rank 1 answered once, and is killed.  Asked again, some time later, it is silent; two of four that answer are enough.
signal 1 KILL
reader="$CLUSTER in 2"
need '^  rank 1 is gone (process [0-9]* on node2); it gave up waiting for rank 2'
reader=
sleep 2.1
ask
need '^  rank 1 does not answer (process [0-9]* on node2); it gave up waiting for rank 2' \
    'Look at rank 2 first: 3 others wait for it' '^It did not answer SIGUSR1, as 2 others did\.'
end

# Rank 3 is in another exchange.
hang exchange 'Look at rank 3 first: 3 others wait for it' \
    '^rank 3 gave up waiting for rank 2 in exchange "star" (.*lua:10), start 0' \
    '^Do all ranks call the same exchanges'
ask
for rank in 0 1 2 3; do
    reader="$CLUSTER in $((rank + 1))"
    need 'Look at rank 3 first: 3 others wait for it'
done
end

# Rank 1 is in a handle of another spec.
hang spec 'Look at rank 1 first: 3 others wait for it' \
    '^rank 1 gave up waiting for rank 0 and rank 2 in exchange "narrow" (.*lua:11), start 0' \
    '^It is in an exchange of spec cube_yz, the other one in one of spec cube_xz'
ask
reader="$CLUSTER in 2"
need 'Look at rank 1 first: 3 others wait for it' '^It is in an exchange of spec cube_yz'
end

# Node 4 loses power while rank 3 waits, as the others do: it alone does not give up.  mpirun takes long to see that.  Should
# the rank be so late that it gives up itself, the run is made again with a longer deadline.
export OMPI_MCA_oob_tcp_keepalive_time=100
what=late reader='' tries=600
for deadline in 1 5 25; do
    begin late $deadline
    wait_for '^  rank 3 waits for rank 2 in exchange "all" (.*lua:9), start 3' && signal 3 STOP && says '^  rank 3 waits' && break
    end
done
"$CLUSTER" kill 4
: >"$work/go"
need 'Look at rank 3 first: [23] others wait for it' '^rank 3 waits for rank 2 in exchange "all" (.*lua:9), start 3' \
    '^It has not given up, as [23] others did: is it stopped, or gone?'
ask
need 'Look at rank 3 first: [23] others wait for it' \
    '^rank 3 does not answer (process [0-9]* on node4); it waited in finish of exchange "all" (.*lua:9), start 3' \
    '^It did not answer SIGUSR1, as 3 others did\.' '^It is stopped or gone, .*: call this command on node4'
