#!/bin/sh
# The script itself: nodes are what it says they are, and nothing of a cluster is left, however it ends.
#
#   script.sh CLUSTER.SH MPIRUN.SH
set -u

cluster=$1
mpirun=$2
mark=halogen-cluster-$$
directory=$(mktemp -d) || exit 1
trap 'rm -rf "$directory"' EXIT
failures=0

fail() {
    echo "$*"
    failures=$((failures + 1))
}

# expect WHAT EXPECTED GOT
expect() {
    [ "$2" = "$3" ] || fail "$1: '$3', expected '$2'"
}

"$cluster" 1 1 true || exit

# ---- what nodes are ----

"$cluster" 1 1 sh -c 'exit 5'
expect 'the status of the command' 5 $?

expect 'host names, two ranks on each' 'node1 node1 node2 node2 node3 node3' \
    "$("$cluster" 3 2 "$mpirun" 6 hostname 2>/dev/null | sort | tr '\n' ' ' | sed 's/ $//')"

# shellcheck disable=SC2016 # for shells inside
expect 'what one node writes, others see on the network file system only' "here $directory/file" "$(
    "$cluster" 2 1 sh -c '
        "$CLUSTER" in 1 sh -c ": >/dev/shm/$0; : >\$TMPDIR/$0; : >$1/file; [ -e /dev/shm/$0 ] && echo here" "$@"
        "$CLUSTER" in 2 sh -c "ls -d /dev/shm/* \$TMPDIR/* $1/* 2>/dev/null" "$@"' "$mark" "$directory" | tr '\n' ' ' | sed 's/ $//'
)"
rm -f "$directory/file"

# shellcheck disable=SC2016
expect 'no way out of the networks' 'mgmt 10.77.2.2/24' "$(
    "$cluster" 2 1 sh -c '"$CLUSTER" in 2 sh -c "ip route | grep -v scope.link; ip -br addr show mgmt"' |
        awk '{ print $1, $3 }' | sed 's/@[^ ]*//'
)"

# ---- what is left ----

# Everything of a cluster has the mark in its environment.
processes() {
    grep -l -a "CLUSTER_MARK=$mark" /proc/[0-9]*/environ 2>/dev/null
}

traces() {
    processes
    ip link 2>/dev/null | grep -E ' (br-)?(data|mgmt)'
    grep -E ' /run/(cluster|local) ' /proc/self/mountinfo
    ls -d "/dev/shm/$mark"* "/tmp/$mark"* "/run/$mark"* /run/cluster 2>/dev/null
    ls -A "$directory/tmp"
}

# A cluster, in a session of its own, with a job of four ranks that do not end; waits until they are up.
start_job() {
    mkdir -p "$directory/tmp"
    rm -f "$directory"/up.*
    # shellcheck disable=SC2016
    TMPDIR=$directory/tmp CLUSTER_MARK=$mark setsid "$cluster" 2 2 "$mpirun" 4 sh -c '
        : >"/dev/shm/$0.$$"
        : >"$TMPDIR/$0.$$"
        : >"$1/up.$(hostname).$$"
        sleep 1000' "$mark" "$directory" >"$directory/said" 2>&1 &
    job=$!
    tries=0
    until [ "$(find "$directory" -name 'up.*' | wc -l)" -eq 4 ]; do
        if [ $((tries += 1)) -ge 600 ]; then
            fail 'the job did not start'
            break
        fi
        sleep 0.1
    done
}

# The machine itself has nothing of a cluster but its processes.
start_job
expect 'traces of a cluster that is up, outside of it' "$(processes)" "$(traces)"
[ -n "$(processes)" ] || fail 'no process has the mark'

# end_job HOW STATUS KILL-ARGUMENT...
end_job() {
    how=$1
    status=$2
    shift 2
    kill "$@" || fail "kill $*"
    wait "$job" 2>/dev/null
    expect "the status after $how" "$status" $?
    tries=0
    while [ -n "$(processes)" ] && [ $((tries += 1)) -lt 100 ]; do sleep 0.1; done
    expect "left after $how" '' "$(traces)"
}

end_job 'SIGKILL to the script' 137 -s KILL "$job"
start_job
end_job 'SIGTERM to its process group, as by timeout' 143 -s TERM -- "-$job"

"$cluster" 2 2 env CLUSTER_MARK="$mark" "$mpirun" 4 true 2>/dev/null
expect 'the status of a job' 0 $?
expect 'left after a job' '' "$(traces)"

echo "$failures failures"
[ "$failures" = 0 ]
