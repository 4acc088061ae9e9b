#!/bin/sh
# Tries everything on the GPU of this machine, then measures it: tests/gpu/run.sh PROGRAMS LOGS RESULTS [--dry-run]
#
# PROGRAMS is the directory with what meson.build makes here, LOGS one for what they print.  Figures go to the end of RESULTS, a
# Markdown file.  With --dry-run, or where there is no GPU, it says what it would do, and each program says what it lacks.
# MPIRUN names the launcher, as for tests/mpirun.sh.
#
# Ends with 0; 1 if something failed or a target was missed; 77 if nothing could run.  With a GPU it takes less than 8 minutes.
set -u

programs=$1
logs=$2
results=$3
dry=${4:-}
here=$(dirname "$0")
failed=0
begin=$(date +%s)
mkdir -p "$logs" || exit 2

all='gpu_exchange gpu_lists gpu_order gpu_graph gpu_kinds gpu_lost gpu_nccl gpu_unfit gpu_check_drifters gpu_check_mixed gpu_check_polygons gpu_check_walled gpu_flow gpu_bench gpu_ranks'
for program in $all; do
    if [ ! -x "$programs/$program" ]; then
        echo "$programs lacks the program $program" >&2
        exit 2
    fi
done

# ---- what there is ----

sanitizer=
for candidate in compute-sanitizer /usr/local/cuda/bin/compute-sanitizer; do
    if command -v "$candidate" >/dev/null; then
        sanitizer=$candidate
        break
    fi
done
# Debian keeps the libraries of its compute-sanitizer where that does not look.
injected=/usr/lib/nvidia-cuda-toolkit/compute-sanitizer
[ -d "$injected" ] && [ "$(command -v "$sanitizer")" = /usr/bin/compute-sanitizer ] || injected=
launcher=${MPIRUN:-mpirun}
command -v "$launcher" >/dev/null || launcher=
missing=$("$programs/gpu_bench" -s 1,1,8 2>&1) && status=0 || status=$?
missing=$(printf '%s\n' "$missing" | grep 'there is no GPU') || missing=
if [ "$status" != 0 ] && [ -z "$missing" ]; then
    echo "FAIL $programs/gpu_bench does not even look for a GPU (status $status)"
    exit 1
fi

# ---- steps ----

# So many seconds, or what is left: steps before the benchmark leave it its own.
ends=$((begin + 310))
limited() {
    left=$((ends - $(date +%s)))
    [ "$left" -gt 0 ] || left=1
    echo $(($1 < left ? $1 : left))
}

# step NAME SECONDS WHAT COMMAND...: runs it, or says that it would.  Output is in LOGS/NAME.log.
step() {
    name=$1 limit=$2 what=$3
    shift 3
    if [ -n "$dry" ]; then
        printf '  %-20s %s; at most %s s\n' "$name" "$what" "$limit"
        return 0
    fi
    since=$(date +%s)
    limit=$(limited "$limit")
    if LIMIT=$limit timeout --kill-after=10 "$limit" "$@" >"$logs/$name.log" 2>&1; then
        said=ok
    else
        said="FAIL (status $?)"
        failed=$((failed + 1))
    fi
    printf '  %-20s %s, %d s: %s\n' "$name" "$what" $(($(date +%s) - since)) "$said"
    if [ "$said" != ok ]; then
        tail -n 20 "$logs/$name.log"
    fi
    return 0
}

on_ranks() { # ranks seconds
    step "exchange-$1" "$2" "exchanges of all specs between $1 ranks on one device, all transports and ways of messages, with delays in streams" \
        "$here/../mpirun.sh" "$1" "$programs/gpu_exchange"
    [ "$1" = 1 ] || step "straight-$1" 30 "the same straight into arrays of other ranks, in any mix with boxes" \
        "$here/../mpirun.sh" "$1" "$programs/gpu_exchange" straight
}

sanitized() { # tool seconds
    if [ -z "$sanitizer" ]; then
        printf '  %-20s %s\n' "$1" "not without compute-sanitizer, which is not found here"
        return 0
    fi
    step "$1-kernels" "$2" "compute-sanitizer $1: packing, unpacking, copies within a rank, graphs" \
        "$sanitizer" ${injected:+--injection-path "$injected"} --tool "$1" --error-exitcode 9 "$programs/gpu_bench" -s 4,3,8 5,2,4 9,3,1 6,1,8
    step "$1-exchange" "$2" "compute-sanitizer $1: exchanges of chosen specs: rows of all lengths, sums, turns, fields of the host, too" \
        "$sanitizer" ${injected:+--injection-path "$injected"} --tool "$1" --error-exitcode 9 "$programs/gpu_exchange" plane_xy patch_plane mixed
    step "$1-lists" "$2" "compute-sanitizer $1: lists of points of chosen specs" \
        "$sanitizer" ${injected:+--injection-path "$injected"} --tool "$1" --error-exitcode 9 "$programs/gpu_lists" cells polygons
}

# Whatever comes of it is a result: an MPI that cannot be given memory of a device may crash.
aware() {
    what='whether this MPI can be given memory of the device: a check program with HX_DEVICE_MESSAGES=aware, on 2 ranks'
    if [ -n "$dry" ]; then
        step aware 30 "$what" true
        return
    fi
    since=$(date +%s)
    limit=$(limited 30)
    if LIMIT=$limit HX_DEVICE_MESSAGES=aware HX_TRANSPORT=persistent timeout --kill-after=10 "$limit" \
        "$here/../mpirun.sh" 2 "$programs/gpu_check_mixed" >"$logs/aware.log" 2>&1; then
        said=yes
    else
        said="no (status $?)"
    fi
    printf '  %-20s %s, %d s: %s\n' aware "$what" $(($(date +%s) - since)) "$said"
}

conformance() {
    step values 20 "values of all ways that are measured" "$programs/gpu_bench" -s
    step values-ranks 10 "values between 2 ranks, through boxes and straight into arrays" "$here/../mpirun.sh" 2 "$programs/gpu_ranks" -s
    on_ranks 1 40
    on_ranks 2 50
    on_ranks 4 60
    step lists 40 "lists of points, copied and added up, between 3 ranks on one device" "$here/../mpirun.sh" 3 "$programs/gpu_lists"
    step order 40 "exchanges without a wait, with delays in streams, two at once, and halves as graphs, on 2 ranks" \
        "$here/../mpirun.sh" 2 "$programs/gpu_order"
    for ranks in 1 2; do
        step "kinds-$ranks" 20 "arrays in memory of each kind that kernels can use, and refused ones, on $ranks ranks" \
            "$here/../mpirun.sh" "$ranks" "$programs/gpu_kinds"
    done
    step nccl 60 "groups of NCCL, if this machine has it, in a stream and in a graph, on 1 rank" \
        sh -c '"$@" || [ $? = 77 ]' sh "$here/../mpirun.sh" 1 "$programs/gpu_nccl"
    [ ! -f "$logs/nccl.log" ] || cat "$logs/nccl.log"
    # By pinned memory, by boxes, straight into arrays: before start, between start and finish, before destroy, in a graph.
    for scene in 0 8 14 19 20; do
        step "lost-$scene" 20 "a kernel of rank 0 fails while an exchange is under way: both ranks get a status, scene $scene" \
            "$here/../mpirun.sh" 2 "$programs/gpu_lost" "$scene"
    done
    for ranks in 1 2 4; do
        step "graph-$ranks" 60 "the step of a solver with its exchanges as a graph, launched up to 1000 times or for 3 s, on $ranks ranks, also beside a busy stream" \
            "$here/../mpirun.sh" "$ranks" "$programs/gpu_graph" 1000
        [ ! -f "$logs/graph-$ranks.log" ] || cat "$logs/graph-$ranks.log"
    done
    step unfit 30 'integers on the device that do not fit what they travel as are told, on 2 ranks' "$here/../mpirun.sh" 2 "$programs/gpu_unfit"
    for spec in drifters mixed polygons walled; do
        step "check-$spec" 40 "the check program that halogen emits for $spec.lua, on 4 ranks" "$here/../mpirun.sh" 4 "$programs/gpu_check_$spec"
    done
    step flow 40 "the gas of specs/flow on 1 to 4 ranks, bit for bit alike" sh "$here/../../specs/flow/ranks.sh" "$programs/gpu_flow" 256 192 100
    aware
    sanitized memcheck 30
    sanitized racecheck 30
}

# What the benchmark wrote, under a heading of its own.
append_figures() {
    device=$(sed -n '1s/,.*//p' "$logs/figures.md")
    {
        printf '\n## %s, %s\n\n' "$(date -u +%Y-%m-%d)" "$device"
        [ "$failed" = 0 ] || printf '**%d steps of the conformance failed.**\n\n' "$failed"
        cat "$logs/figures.md"
    } >>"$results" && echo "figures are at the end of $results"
}

# Ranks of one device take turns there; CUDA's MPS has them run side by side.  It is started for these steps alone, with
# directories of its own, if this machine can have it.
side_by_side() {
    what='ranks side by side on the device, by CUDA MPS: exchanges between 2 ranks, and the solver as a graph'
    if [ -n "$dry" ]; then
        step bench-mps 60 "$what" true
        return
    fi
    CUDA_MPS_PIPE_DIRECTORY=$(mktemp -d)
    CUDA_MPS_LOG_DIRECTORY=$logs
    export CUDA_MPS_PIPE_DIRECTORY CUDA_MPS_LOG_DIRECTORY
    if nvidia-cuda-mps-control -d >"$logs/mps.log" 2>&1 && timeout --kill-after=10 20 "$programs/gpu_bench" -s 1,1,8 >>"$logs/mps.log" 2>&1; then
        step bench-mps 60 "$what" "$here/../mpirun.sh" 2 "$programs/gpu_ranks" -m "$logs/figures.md"
        cat "$logs/bench-mps.log"
        step graph-mps 60 'the solver as a graph, with MPS' "$here/../mpirun.sh" 2 "$programs/gpu_graph" 1000
        cat "$logs/graph-mps.log"
    else
        printf '  %-20s %s: not here\n' bench-mps "$what"
    fi
    echo quit | timeout --kill-after=10 20 nvidia-cuda-mps-control >>"$logs/mps.log" 2>&1
    rm -rf "$CUDA_MPS_PIPE_DIRECTORY"
    unset CUDA_MPS_PIPE_DIRECTORY CUDA_MPS_LOG_DIRECTORY
}

measure() {
    rm -f "$logs/figures.md"
    ends=$((begin + 470))
    if [ -n "$dry" ]; then
        step bench 90 "the benchmark, whose figures go to the end of $results" true
        step bench-2 60 "exchanges between 2 ranks, through boxes, straight into arrays and in graphs" true
        step bench-4 60 "the same between 4" true
        side_by_side
        return
    fi
    since=$(date +%s)
    timeout --kill-after=10 90 "$programs/gpu_bench" -m "$logs/figures.md" >"$logs/bench.log" 2>&1 && status=0 || status=$?
    cat "$logs/bench.log"
    printf '  %-20s %d s: ' bench $(($(date +%s) - since))
    case $status in
    0) echo 'all targets are met' ;;
    3) echo 'targets are missed' ;;
    *) echo "FAIL (status $status)" ;;
    esac
    [ "$status" = 0 ] || failed=$((failed + 1))
    if [ "$status" = 0 ] || [ "$status" = 3 ]; then
        for ranks in 2 4; do
            step "bench-$ranks" 60 "exchanges between $ranks ranks, through boxes, straight into arrays and in graphs" \
                "$here/../mpirun.sh" "$ranks" "$programs/gpu_ranks" -m "$logs/figures.md"
            [ ! -f "$logs/bench-$ranks.log" ] || cat "$logs/bench-$ranks.log"
        done
        side_by_side
        append_figures
    fi
}

# ---- without a GPU ----

# Each program starts, and says by itself that there is none.
look_at_programs() {
    for program in $all; do
        arguments=
        [ "$program" != gpu_flow ] || arguments='8 8 1'
        # shellcheck disable=SC2086 # words
        said=$("$here/../mpirun.sh" 1 "$programs/$program" $arguments 2>&1) && status=0 || status=$?
        line=$(printf '%s\n' "$said" | grep -m 1 -E 'no GPU|needs a GPU|has no device') || line=
        if [ "$status" = 0 ] || [ -z "$line" ]; then
            echo "FAIL $program: status $status, and no word of a GPU:"
            printf '%s\n' "$said"
            failed=$((failed + 1))
        else
            printf '  %-20s %s\n' "$program" "$line"
        fi
    done
}

if [ -z "$launcher" ]; then
    echo "skipped: there is no '${MPIRUN:-mpirun}' on this machine; install openmpi-bin, or name a launcher in MPIRUN"
    exit 77
fi
if [ -n "$missing" ]; then
    echo "skipped: $missing"
    dry=--dry-run
fi
if [ -n "$dry" ]; then
    echo 'with a GPU this would run:'
    conformance
    measure
fi
if [ -n "$missing" ]; then
    echo 'the programs are built and linked with CUDA, start, and say:'
    look_at_programs
    [ "$failed" = 0 ] || exit 1
    exit 77
fi
[ -z "$dry" ] || exit 0

conformance
measure
printf '%d s; logs are in %s\n' $(($(date +%s) - begin)) "$logs"
[ "$failed" = 0 ]
