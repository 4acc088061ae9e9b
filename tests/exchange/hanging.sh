#!/bin/sh
# tests/exchange/hanging.sh PROGRAM HALOGEN: what `halogen trace why` says of four ranks that do not go on; see hanging.c.
set -u
program=$1 halogen=$2
here=$(dirname "$0")
work=$(mktemp -d)
run= # what goes on in the background: mpirun.sh, that is timeout, which ends all ranks, stopped ones, too
trap '[ -z "$run" ] || end; wait; rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
fail() {
    echo "FAIL $*"
    exit 1
}

# says SENTENCE...: whether why said each of them, as patterns.
says() {
    for sentence; do
        grep -q "$sentence" "$work/said" || return 1
    done
}

told() {
    says "$@" || fail "nobody says '$sentence': $(cat "$work/said")"
}

# begin WHAT: a run in the background.  end: of one that hangs, at once.
begin() {
    rm -f "$work"/pid-*
    HX_DEADLINE_REPORT=$work/$1 HX_TRANSPORT=${transport:-auto} \
        "$here/../mpirun.sh" 4 "$program" "$work" "$1" >"$work/log" 2>&1 &
    run=$!
}
end() {
    kill "$run" 2>/dev/null
    cat "$work"/pid-* 2>/dev/null | xargs -r kill -s KILL 2>/dev/null
    { wait "$run"; } 2>/dev/null
    run=
}

# wait_for WHAT SENTENCE...: until why says all of it.  No clock of the run counts, so the machine may be slow.
wait_for() {
    what=$1
    shift
    try=0
    until "$halogen" trace why "$work/$what" >"$work/said" 2>&1 && says "$@"; do
        try=$((try + 1))
        [ "$try" -lt 600 ] || fail "$what: nobody says '${sentence-}': $(cat "$work/said" "$work/log")"
        sleep 0.1
    done
}

# hang WHAT SENTENCE...: a run without a deadline.
hang() {
    begin "$1"
    wait_for "$@"
    end
}

# Rank 3 is in "star", the others in "all": each waits for another one, and the odd one is named.  The deadline holds for
# the steps before, too: where the machine has no processor for a rank for so long, the run is made again with a longer one.
for deadline in 1 4 16; do
    HX_DEADLINE=$deadline begin exchange
    wait "$run"
    run=
    "$halogen" trace why "$work/exchange" >"$work/said" 2>&1 &&
        says 'Look at rank 3 first: 3 others wait for it' \
            '^rank 3 gave up waiting for rank 2 in exchange "star" (.*cube.*lua:10), start 0' \
            '^Rank 2 waits for its start 3 of exchange "all" (.*cube.*lua:9); its last one was start 2\.' \
            '^Do all ranks call the same exchanges' \
            '^chain: rank 0 waits for rank 1 waits for rank 2 waits for rank 3$' \
            '^  rank 2 gave up waiting for rank 3 in exchange "all" (.*cube.*lua:9), start 3' && break
    [ "$deadline" -lt 16 ] || fail "exchange: nobody says '${sentence-}': $(cat "$work/said" "$work/log")"
done

# Rank 1 is in a handle of another spec.
hang spec 'Look at rank 1 first: 3 others wait for it' \
    '^rank 1 waits for rank 0 and rank 2 in exchange "narrow" (.*cube_yz.*lua:11), start 0' \
    '^Rank 0 waits for its start 3 of exchange "all" (.*cube_xz.*lua:9); its last one was start 2\.' \
    '^It is in an exchange of spec cube_yz, the other one in one of spec cube_xz' \
    '^chain: rank 3 waits for rank 2 waits for rank 1$'

# Rank 1 does not come at all; by MPI.
transport=persistent hang skip 'Look at rank 1 first: 3 others wait for it' \
    '^rank 1 is outside of exchanges; it last finished exchange "all" (.*cube.*lua:9), start 2' \
    '^Does it come to that call?'

# The others call an audit, and wait for rank 1 there.
hang audit '^  rank 0 is in cube.*_audit, for [0-9.]* s$' '^  rank 3 is in cube.*_audit, for' \
    '^  rank 1 is outside of exchanges; it last finished exchange "all"'

# Rank 3 is killed while it waits for rank 2.  Open MPI can be asked to let the others live; MPICH's launcher ends them all.
case $("${MPIRUN:-mpirun}" --version 2>&1) in
*HYDRA*) ;;
*)
    OMPI_MCA_orte_enable_recovery=1 begin late
    wait_for late '^  rank 3 waits for rank 2 in exchange "all" (.*lua:9), start 3' \
        '^rank 2 is in start of exchange "all" (.*lua:9), start 3' 'it has come to that; its last one was start 3\.' \
        '^It has made that call: gdb -p [0-9]* on .* shows where it is\.'
    kill -KILL "$(cat "$work/pid-3")"
    : >"$work/go"
    wait_for late 'Look at rank 3 first: [23] others wait for it' \
        '^rank 3 is gone (process [0-9]* on .*); it waited in finish of exchange "all" (.*lua:9), start 3' \
        '^Rank 2 waits for its start 4 of exchange "all" (.*lua:9); its last one was start 3\.' \
        '^Its process has ended: look for what it printed' '^chain: .*rank 1 waits for rank 2 waits for rank 3$'
    end
    ;;
esac

# Rank 2 is stopped.  SIGUSR1 is answered, and goes on to the handler that the program had.
begin stopped
wait_for stopped 'Look at rank 2 first: 3 others wait for it' \
    '^rank 2 is stopped (process [0-9]* on .*); it is outside of exchanges; it last finished exchange "all" (.*lua:9), start 2' \
    '^A signal or a debugger stopped it: kill -CONT' '^chain: rank 0 waits for rank 1 waits for rank 2$'
says 'did not answer' && fail "nobody was asked"
kill -USR1 "$(cat "$work/pid-0")"
sleep 0.5
wait_for stopped 'Look at rank 2 first: 3 others wait for it'
says 'did not answer' && fail "one alone was asked"
for rank in 0 1 2 3; do kill -USR1 "$(cat "$work/pid-$rank")"; done
wait_for stopped '^It did not answer SIGUSR1, as 3 others did\.$'

# It goes on, and so do all: then nobody waits.
kill -CONT "$(cat "$work/pid-2")"
wait "$run" || fail "the run does not end after it goes on: $(tail -n 5 "$work/log")"
run=
"$halogen" trace why "$work/stopped" >"$work/said" || fail "a run that ended well"
told '^The run has ended' '^No rank waits for another one' '^  rank 2 is outside of exchanges; it last finished exchange "all" (.*lua:9), start 5'
"$halogen" trace why "$work" >"$work/said" 2>&1 && fail "a directory without files"
told 'has no file rank-\*.hxwaits'

# Files that are changed are refused in words, or told as far as they make sense.
mkdir "$work/cut"
head -c 5000 "$work/spec/rank-00001.hxwaits" >"$work/cut/rank-00001.hxwaits"
"$halogen" trace why "$work/cut" >"$work/said" 2>&1 && fail "a file that was cut is taken"
told 'was not written by this version of libhx'
cp "$work/spec/rank-00001.hxwaits" "$work/spec/rank-00002.hxwaits" "$work/cut"
"$halogen" trace why "$work/cut" >"$work/said" || fail "two of four files"
told 'rank 0 left no file'
