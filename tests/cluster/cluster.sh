#!/bin/sh
# Several machines on one: nodes made of namespaces, on two networks of their own, and Open MPI across them.
#
#   cluster.sh NODES SLOTS COMMAND [ARGUMENT...]
#       builds node1, node2, ... and runs COMMAND beside them, in an environment in which Open MPI's mpirun starts
#       ranks on them, SLOTS on each.  Ends with the status of COMMAND, or with 77 and a reason where namespaces are
#       not permitted.  Whatever ends it, SIGKILL too, ends the cluster: nothing is left.
#
# COMMAND finds this script as $CLUSTER, and may call, with NODE 1, 2, ...:
#
#   $CLUSTER in NODE PROGRAM [ARGUMENT...]   runs a program in a node
#   $CLUSTER sent NODE INTERFACE             bytes that a node has sent: by data to others, by lo to itself
#   $CLUSTER cut NODE                        messages of a node vanish from here on; mpirun still reaches it
#   $CLUSTER heal NODE                       they no longer do
#   $CLUSTER kill NODE                       a node loses power: no packet leaves it any more
#   $CLUSTER slow MILLISECONDS RATE          each message takes so long, with a RATE as tc has it (1gbit).  Where the
#                                            kernel has no netem the program that CLUSTER_SWITCH names takes the place of
#                                            the switch (switch.c); 77 without either
#   $CLUSTER tree MILLISECONDS RATE N UPLINK the same by that program, with a switch for each N nodes, which has lines of the
#                                            rate UPLINK to the other switches
#
# A node has a network, a host name, System V IPC, process numbers and mounts of its own: /dev/shm, /run and $TMPDIR
# are private and in memory, other files those of this machine, as on a network file system.  COMMAND runs in a further
# one, "head", that has no ranks.  Messages go by the network "data", 10.77.1.NODE; mpirun uses "mgmt", 10.77.2.NODE.
# The networks of this machine are neither touched nor reached, and clusters do not see each other.
set -eu

self=$(readlink -f "$0")
state=/run/cluster
namespaces='--net --uts --ipc --mount --pid --fork --kill-child --mount-proc'

die() {
    echo "cluster.sh: $*" >&2
    exit 1
}

skip() {
    echo "skipped: $*"
    exit 77
}

# ---- building ----

# Ends with 77 if this machine does not let us have what a cluster is made of.
require() {
    for tool in ip "${MPIRUN:-mpirun}" nsenter unshare; do
        command -v "$tool" >/dev/null || skip "there is no '$tool' here; install iproute2, openmpi-bin and util-linux"
    done
    # shellcheck disable=SC2086 # lists of words
    said=$(unshare $user $namespaces sh -c 'hostname probe && mount -t tmpfs probe /run && mount -t tmpfs probe /dev/shm &&
        ip link add probe1 type veth peer name probe2 && ip link add probe3 type bridge' 2>&1) ||
        skip "namespaces, or networks in them, are not permitted here: $said"
}

# What every host does at first, in its own namespaces.
set_up_host() {
    hostname "$1"
    mount -t tmpfs shm /dev/shm
    ip link set lo up
    # It would send packets of its own accord, which are counted.
    if [ -d /proc/sys/net/ipv6 ]; then
        echo 1 >/proc/sys/net/ipv6/conf/default/disable_ipv6
    fi
}

# The first process of a node: says that it is there, and reaps orphans.
become_node() {
    set_up_host "node$1"
    mount -t tmpfs local /run/local
    : >"$state/node$1.ready"
    sleep infinity &
    wait
}

# add_to NETWORK SUBNET NODE: a cable from a node to the switch.  Hardware addresses are fixed, so that nobody waits for
# an old one to be forgotten.
add_to() {
    pid=$(cat "$state/node$3")
    ip link add "$1$3" type veth peer name "$1" address "$(printf '02:00:00:00:%02x:%02x' "$2" "$3")" netns "$pid"
    ip link set "$1$3" master "br-$1" up
    # shellcheck disable=SC2016 # for the shell inside
    nsenter --target "$pid" --net sh -ec 'ip addr add "10.77.$2.$3/24" dev "$1"; ip link set "$1" up' sh "$@"
}

start_node() {
    # shellcheck disable=SC2086
    unshare $namespaces "$self" node "$1" &
    echo $! >"$state/node$1"
    until [ -e "$state/node$1.ready" ]; do
        kill -0 $! || die "node$1 did not start"
        sleep 0.02
    done
    add_to data 1 "$1"
    add_to mgmt 2 "$1"
}

# How Open MPI is to use the nodes.  osc: ucx is in the way of windows between nodes.  keepalive: a node that is gone is
# noticed after 6 seconds.
export_environment() {
    export CLUSTER="$state/cluster"
    export TMPDIR=/run/local
    export OMPI_MCA_orte_default_hostfile="$state/slots"
    export OMPI_MCA_plm_rsh_agent="$state/cluster agent"
    export OMPI_MCA_plm_rsh_no_tree_spawn=1
    export OMPI_MCA_oob_tcp_if_include=10.77.2.0/24
    export OMPI_MCA_oob_tcp_keepalive_time=3
    export OMPI_MCA_oob_tcp_keepalive_intvl=1
    export OMPI_MCA_oob_tcp_keepalive_probes=3
    export OMPI_MCA_pml=ob1
    export OMPI_MCA_btl=self,vader,tcp
    export OMPI_MCA_btl_tcp_if_include=10.77.1.0/24
    export OMPI_MCA_osc="${OMPI_MCA_osc:-^ucx}"
}

# The first process of the cluster, which is gone when this ends.
become_head() {
    nodes=$1
    slots=$2
    shift 2
    mount -t tmpfs run /run
    mkdir "$state" /run/local
    ln -s "$self" "$state/cluster"
    set_up_host head
    {
        echo '127.0.0.1 localhost'
        echo '10.77.2.254 head'
        for k in $(seq "$nodes"); do echo "10.77.2.$k node$k"; done
    } >"$state/hosts"
    mount --bind "$state/hosts" /etc/hosts
    for k in $(seq "$nodes"); do echo "node$k slots=$slots"; done >"$state/slots"
    for network in data mgmt; do
        ip link add "br-$network" address "02:00:00:00:ff:ff" type bridge
        ip link set "br-$network" up
    done
    ip addr add 10.77.2.254/24 dev br-mgmt
    for k in $(seq "$nodes"); do start_node "$k"; done
    export_environment
    "$@" &
    # A shell that waits for a command in the foreground would not hear a signal.
    trap 'exit 143' TERM INT HUP
    status=0
    wait $! || status=$?
    exit "$status"
}

# ---- using ----

# The process that holds the namespaces of a node.
holder_of() {
    cat "$state/node$1" 2>/dev/null || die "there is no node $1; is this called by the command of a cluster?"
}

run_in() {
    pid=$(holder_of "$1")
    shift
    # shellcheck disable=SC2016 # for the shell inside
    exec nsenter --target "$pid" --net --uts --ipc --mount --pid="/proc/$pid/ns/pid_for_children" \
        sh -c 'cd "$0" && exec "$@"' "$PWD" "$@"
}

# What mpirun calls in place of ssh: HOST COMMAND-LINE.
agent() {
    host=$1
    shift
    run_in "${host#node}" sh -c "$*"
}

sent() {
    # shellcheck disable=SC2016 # for awk
    run_in "$1" awk -v interface="$2:" '$1 == interface { print $10 }' /proc/net/dev
}

# A port that has left its switch: the cable is in at both ends, and nothing comes through.
cut_node() {
    holder_of "$1" >/dev/null
    : >"$state/cut$1"
    ip link set "data$1" nomaster
}

heal_node() {
    holder_of "$1" >/dev/null
    rm -f "$state/cut$1"
    [ -e "$state/switching" ] || ip link set "data$1" master br-data
}

kill_node() {
    pid=$(holder_of "$1")
    cut_node "$1"
    ip link set "mgmt$1" nomaster
    kill -KILL "$pid"
}

nodes() {
    for file in "$state"/node*.ready; do
        k=${file#"$state/node"}
        echo "${k%.ready}"
    done
}

# 1gbit -> 1000000000
bits() {
    echo "$1" | awk '{ unit = $0; sub(/^[0-9.]+/, "", unit); of["bit"] = 1; of["kbit"] = 1e3; of["mbit"] = 1e6; of["gbit"] = 1e9
        if (!(unit in of)) exit 1
        printf "%.0f", $0 * of[unit] }' || die "'$1' is no rate; write one like 100mbit or 1gbit"
}

# start_switch MILLISECONDS RATE LEAF UPLINK: ports leave the bridge; the program hands on what it gets from one to the others.
start_switch() {
    rate=$(bits "$2")
    uplink=$(bits "$4")
    if [ -e "$state/switch.pid" ]; then
        kill -KILL "$(cat "$state/switch.pid")"
        rm -f "$state/switching"
    fi
    for k in $(nodes); do ip link set "data$k" nomaster; done
    # shellcheck disable=SC2046 # one word for each node
    "$CLUSTER_SWITCH" "$state" data "$1" "$rate" "$3" "$uplink" $(nodes) &
    echo $! >"$state/switch.pid"
    until [ -e "$state/switching" ]; do
        kill -0 $! || die 'the switch did not start'
        sleep 0.02
    done
}

slow() {
    for k in $(nodes); do
        if said=$(tc qdisc replace dev "data$k" root netem limit 100000 delay "${1}ms" rate "$2" 2>&1); then
            continue
        elif [ -x "${CLUSTER_SWITCH:-}" ]; then
            start_switch "$1" "$2" 0 "$2"
            return
        fi
        skip "messages cannot be delayed; has this kernel netem (CONFIG_NET_SCH_NETEM)?  tc says: $said"
    done
}

tree() {
    [ -x "${CLUSTER_SWITCH:-}" ] || skip 'CLUSTER_SWITCH names no program; it takes one to make a tree of switches'
    start_switch "$@"
}

command=${1:-help}
case $command in
in | sent | cut | heal | kill | slow | tree | agent | head | node) shift ;;
esac
case $command in
in) run_in "$@" ;;
cut | heal | kill) "${command}_node" "$@" ;;
sent | slow | tree | agent) "$command" "$@" ;;
head | node) "become_$command" "$@" ;;
[1-9]*)
    [ $# -ge 3 ] || die 'takes NODES SLOTS COMMAND'
    user=
    [ "$(id -u)" = 0 ] || user='--user --map-root-user'
    require
    # shellcheck disable=SC2086
    exec unshare $user $namespaces "$self" head "$@"
    ;;
*) sed -n '2,/^set/s/^# \{0,1\}//p' "$self" ;;
esac
