#!/bin/sh
# run.sh and ./dev gpu: what they do without a GPU, and, with scripts in place of the programs, with one.
#
# usage: test.sh SOURCE_ROOT WORK_DIRECTORY FAKE_EXCHANGE FAKE_LISTS FAKE_ORDER FAKE_FLOW FAKE_BENCH FAKE_RANKS FAKE_CHECK FAKE_KINDS FAKE_LOST FAKE_GRAPH
#        FAKE_NCCL FAKE_UNFIT [REAL_PROGRAMS]
#
# The FAKE_ programs are linked with the fake device, which is told to be none; REAL_PROGRAMS is the directory of those that are
# linked with CUDA.
set -u

root=$1
work=$2
exchange=$3 lists=$4 order=$5 flow=$6 bench=$7 ranks=$8 check=$9
kinds=${10} lost=${11} graph=${12} nccl=${13} unfit=${14}
real=${15:-}
failed=0
rm -rf "$work"
mkdir -p "$work/none" "$work/pretended"

complain() {
    echo "FAIL $1"
    failed=$((failed + 1))
}

# expect STATUS WORDS WHAT COMMAND...
expect() {
    expected=$1 words=$2 what=$3
    shift 3
    "$@" >"$work/said" 2>&1 && status=0 || status=$?
    if [ "$status" != "$expected" ]; then
        complain "$what: status $status, expected $expected"
        cat "$work/said"
    elif ! grep -q -e "$words" "$work/said"; then
        complain "$what: does not say \"$words\""
        cat "$work/said"
    fi
}

said() { # words
    if ! grep -q -e "$1" "$work/said"; then
        complain "does not say \"$1\""
        cat "$work/said"
    fi
}

run() { # PROGRAMS [ARGUMENT...]
    programs=$1
    shift
    sh "$root/tests/gpu/run.sh" "$programs" "$work/logs" "$work/results.md" "$@"
}

# ---- without a GPU ----

link() { # program, its name here
    ln -s "$(realpath "$1")" "$work/none/$2"
}

link "$exchange" gpu_exchange
link "$lists" gpu_lists
for spec in drifters mixed polygons walled; do
    link "$check" "gpu_check_$spec"
done
link "$order" gpu_order
link "$kinds" gpu_kinds
link "$lost" gpu_lost
link "$graph" gpu_graph
link "$nccl" gpu_nccl
link "$unfit" gpu_unfit
link "$flow" gpu_flow
link "$bench" gpu_bench
link "$ranks" gpu_ranks
export FAKE_CUDA_DEVICES=none
expect 77 'skipped: there is no GPU' 'no GPU' run "$work/none"
said 'with a GPU this would run'
said 'exchange-4 .*at most'
said 'bench .*results.md'
for program in exchange lists order graph kinds lost nccl unfit check_mixed flow bench ranks; do
    said "gpu_$program  *.*GPU"
done
unset FAKE_CUDA_DEVICES
[ ! -e "$work/results.md" ] || complain 'figures without a GPU'

expect 77 'skipped: there is no .no-such-launcher' 'no launcher' env MPIRUN=no-such-launcher sh "$root/tests/gpu/run.sh" "$work/none" "$work/logs" "$work/results.md"
expect 2 'lacks the program gpu_exchange' 'no programs' run "$work/pretended"
expect 1 'is not an option of gpu' 'a wrong option' sh "$root/dev" gpu --fast
expect 1 'takes a path' 'an option without its path' sh "$root/dev" gpu --carried

# ---- with one, as it were ----

cat >"$work/pretended/gpu_bench" <<'END'
#!/bin/sh
echo "bench $*" >>"${0%/*}/calls"
[ "$1" = -m ] || exit 0
echo 'A device, with much memory.' >"$2"
exit "${BENCH_STATUS:-0}"
END
for program in gpu_exchange gpu_lists gpu_order gpu_graph gpu_kinds gpu_lost gpu_nccl gpu_unfit gpu_ranks gpu_check_drifters gpu_check_mixed gpu_check_polygons gpu_check_walled; do
    cat >"$work/pretended/$program" <<'END'
#!/bin/sh
echo "${0##*/} $*" >>"${0%/*}/calls"
exit "${EXCHANGE_STATUS:-0}"
END
done
cat >"$work/pretended/gpu_flow" <<'END'
#!/bin/sh
[ "${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-0}}" != 0 ] || echo 'checksum 1'
END
mkdir "$work/bin"
cat >"$work/bin/compute-sanitizer" <<'END'
#!/bin/sh
echo "sanitizer $1 $2" >>"${0%/*}/../pretended/calls"
shift 4
exec "$@"
END
cat >"$work/bin/nvidia-cuda-mps-control" <<'END'
#!/bin/sh
[ -d "$CUDA_MPS_PIPE_DIRECTORY" ] || exit 1
[ "$*" = -d ] || read -r word
echo "mps ${word:-$1}" >>"${0%/*}/../pretended/calls"
END
# For programs that are none of MPI: it takes no half a second for each.
cat >"$work/bin/pretended-launcher" <<'END'
#!/bin/sh
[ "$1" != --version ] || exit 0
while [ "$1" != -n ]; do shift; done
ranks=$2 status=0
shift 2
for rank in $(seq 0 $((ranks - 1))); do
    PMI_RANK=$rank "$@" || status=$?
done
exit "$status"
END
chmod +x "$work"/pretended/* "$work"/bin/*
PATH=$work/bin:$PATH
launcher=${MPIRUN:-mpirun}
export MPIRUN=pretended-launcher

calls() { # how often, what
    count=$(grep -c "^$2" "$work/pretended/calls")
    if [ "$count" != "$1" ]; then
        complain "$2 was called $count times, expected $1"
    fi
}

expect 0 'with a GPU this would run' 'a dry run' run "$work/pretended" --dry-run
calls 0 gpu_exchange
expect 0 'all targets are met' 'all is well' run "$work/pretended"
said 'exchange-4 .*: ok'
said 'aware .*: yes'
calls 7 'gpu_exchange $'
calls 3 'gpu_lists $'
calls 6 'gpu_exchange straight'
calls 2 'gpu_ranks -s'
calls 8 'gpu_ranks -m'
calls 1 'mps -d'
calls 1 'mps quit'
calls 2 'gpu_order'
calls 3 'gpu_kinds'
calls 2 'gpu_lost 0'
calls 10 'gpu_lost'
calls 9 'gpu_graph 1000'
calls 1 'gpu_nccl'
# On 4 ranks, and on 2 to find out whether MPI can be given memory of the device.
calls 6 'gpu_check_mixed'
calls 4 'gpu_check_drifters'
calls 4 'gpu_check_polygons'
calls 2 'gpu_unfit'
calls 4 'gpu_check_walled'
calls 3 'sanitizer --tool memcheck'
calls 3 'sanitizer --tool racecheck'
calls 2 'gpu_exchange plane_xy'
calls 1 'bench -m'
grep -q "^## $(date -u +%Y)-.*, A device\$" "$work/results.md" || complain 'there is no heading'
export BENCH_STATUS=3
expect 1 'targets are missed' 'targets are missed' run "$work/pretended"
unset BENCH_STATUS
expect 1 'exchange-2 .*FAIL' 'exchanges fail' env EXCHANGE_STATUS=5 sh "$root/dev" gpu --carried "$work/pretended" --results "$work/results.md"
grep -q 'steps of the conformance failed' "$work/results.md" || complain 'figures say nothing of failures'

# ---- what is linked with CUDA ----

export MPIRUN="$launcher"
if [ -n "$real" ] && "$real/gpu_bench" -s 1,1,8 2>&1 | grep -q 'there is no GPU'; then
    expect 77 'the programs are built and linked with CUDA' 'linked with CUDA' sh "$root/dev" gpu --carried "$real" --results "$work/results.md"
    for program in exchange lists order graph kinds lost nccl unfit check_mixed flow bench ranks; do
        said "gpu_$program  *.*GPU"
    done
fi
echo "$failed failed"
[ "$failed" -eq 0 ]
