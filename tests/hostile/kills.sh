#!/bin/sh
# Generators that are killed at all moments, and their children: files are old or new, whole, and nobody stays behind.
. "$(dirname "$0")/guard.sh"

sed 's/halo = 1/halo = 2/' test.lua >other.lua
mkdir old new
cp out/test.? old
"$halogen" other.lua -o new || exit 1
sed -i 's/other\.lua/test.lua/' new/test.?
cp other.lua test.lua

# Which of the two a file of `out` is.
age() {
    for age in old new; do
        cmp -s "out/$1" "$age/$1" && echo "$age" && return
    done
    echo torn
}

# kill_after SIGNAL DELAY: in a directory with the old files.
kill_after() {
    rm -rf out
    cp -r old out
    "$halogen" test.lua -o out &
    sleep "$2"
    kill "-$1" $! 2>/dev/null
    wait $! 2>/dev/null
}

# Moments from before the start to after the end of a run.
begin=$(date +%s%N)
"$halogen" test.lua -o out
nanoseconds=$(($(date +%s%N) - begin))
delays=$(seq 0 12 | awk -v s="$nanoseconds" '{ printf "%.4f\n", $1 / 10 * s / 1e9 }')

killed=0 done=0
for round in 1 2 3; do
    for delay in $delays; do
        kill_after KILL "$delay"
        ages="$(age test.h) $(age test.c)"
        case $ages in
        *torn*) complain "killed after $delay s: test.h and test.c are $ages" ;;
        "old old") killed=$((killed + 1)) ;;
        "new new") done=$((done + 1)) ;;
        esac
        kill_after TERM "$delay"
        ages="$(age test.h) $(age test.c)"
        case $ages in
        "old old" | "new new") ;;
        *) complain "ended after $delay s: test.h and test.c are $ages" ;;
        esac
        [ "$(ls -A out | tr '\n' ' ')" = "test.c test.h " ] || complain "ended after $delay s: left $(ls -A out)"
    done
done
echo "$killed killed before they had written, $done when they had"
[ "$killed" -gt 0 ] || complain "no run was killed half-way"

# What a killed run left does not stand in the way of the next.
"$halogen" test.lua -o out && [ "$(age test.h) $(age test.c)" = "new new" ] || complain "the next run: $(age test.h) $(age test.c)"

# Two at once, again and again, into one directory: whole files, and nothing else.
for round in 1 2 3 4 5 6 7 8; do
    "$halogen" test.lua -o out --depfile out/test.d || complain "one of two failed" &
    "$halogen" test.lua -o out --depfile out/test.d || complain "one of two failed"
    wait $! || complain "one of two failed"
    [ "$(age test.h) $(age test.c)" = "new new" ] || complain "two at once: $(age test.h) $(age test.c)"
done

# ---- the child ----

if [ ! -r "/proc/$$/task/$$/children" ]; then
    echo "not tried: to kill the child, which only /proc names"
    finish
fi
echo 'while true do local x = ("x"):rep(1000000) end' >endless.lua

# start_endless: sets $parent and $child.
start_endless() {
    "$halogen" endless.lua -o out >child.said 2>&1 &
    parent=$! child=
    for i in $(seq 200); do
        child=$(cat "/proc/$parent/task/$parent/children" 2>/dev/null)
        [ -n "$child" ] && break
        sleep 0.01
    done
    child=${child% }
}

# expect_end CODE WORDS: of the parent.
expect_end() {
    wait "$parent"
    got=$?
    [ "$got" -eq "$1" ] || complain "the child was killed: exit code $got, not $1"
    grep -qF -e "$2" child.said || complain "the child was killed: no '$2' in: $(cat child.said)"
    [ "$(age test.h) $(age test.c)" = "new new" ] || complain "the child was killed, and files changed"
}

start_endless
kill -KILL "$child"
expect_end 1 "endless.lua: error: the spec needs more than 256 MiB of memory"
start_endless
kill -TERM "$child"
expect_end 3 "the confined process was ended by signal 15"
start_endless
kill -STOP "$child"
expect_end 1 "endless.lua: error: the spec did not finish within"

# Without its parent the child ends, too.
start_endless
kill -KILL "$parent"
wait "$parent" 2>/dev/null
for i in $(seq $((300 * ${HALOGEN_PATIENCE:-1}))); do
    kill -0 "$child" 2>/dev/null || break
    sleep 0.1
done
kill -0 "$child" 2>/dev/null && complain "the child outlives its parent"
finish
