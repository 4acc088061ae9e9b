#!/bin/sh
# Runs a test on several ranks of this machine: tests/mpirun.sh RANKS PROGRAM [ARGUMENT...]
#
# MPIRUN names the launcher (mpirun unless set), LIMIT the seconds after which everything is killed (150 unless set).
# YIELD names the library that lets idle ranks of MPICH yield (ranks/yield.c), if that is wanted.
# DEDICATED=1 ties each rank to a processor of its own, for measurements.
# Ends with the status of the launcher, or with 77 (skipped) and a reason if there is no launcher.
set -u

ranks=$1
shift
launcher=${MPIRUN:-mpirun}
limit=${LIMIT:-150}
here=$(dirname "$0")

if ! command -v "$launcher" >/dev/null; then
    echo "skipped: no '$launcher' on this machine; install openmpi-bin or mpich, or name a launcher in MPIRUN"
    exit 77
fi

# Whether a process may read the memory of a sibling: Yama's rule, or a seccomp filter and no capability to trace.
may_trace() {
    [ "$(cat /proc/sys/kernel/yama/ptrace_scope 2>/dev/null || echo 0)" = 0 ] || return 1
    [ "$(awk '/^Seccomp:/ { print $2 }' /proc/self/status)" != 2 ] && return 0
    capabilities=$(awk '/^CapEff:/ { print $2 }' /proc/self/status)
    [ $((0x$capabilities >> 19 & 1)) = 1 ]
}

leaks=1
if ! may_trace; then
    export OMPI_MCA_btl_vader_single_copy_mechanism=none
    leaks=0 # the leak checker stops its own threads by tracing them
fi
# Not at exit: MPI has closed its plugins by then, and what they leave behind has no name to suppress it by.  Programs
# look for leaks themselves (exchange/check.c).
export ASAN_OPTIONS="detect_leaks=$leaks:leak_check_at_exit=0:${ASAN_OPTIONS:-}"
export LSAN_OPTIONS="suppressions='$here/lsan.supp':print_suppressions=0:${LSAN_OPTIONS:-}"
export UBSAN_OPTIONS="print_stacktrace=1:halt_on_error=1:${UBSAN_OPTIONS:-}"

# More ranks than processors is the rule in tests: let idle ranks yield, and tie none to a processor.
dedicated=${DEDICATED:-0}
case $("$launcher" --version 2>&1) in
*"Open MPI"* | *OpenRTE* | *PRTE* | *prrte*)
    if [ "$dedicated" = 1 ]; then
        set -- --bind-to core -n "$ranks" "$@"
    else
        export OMPI_MCA_mpi_yield_when_idle=1
        # What Open MPI takes on one machine.  To look for networks first, as it does unless told, takes half of a start.
        export OMPI_MCA_pml="${OMPI_MCA_pml:-ob1}"
        set -- --oversubscribe --bind-to none -n "$ranks" "$@"
    fi
    [ "$(id -u)" = 0 ] && set -- --allow-run-as-root "$@"
    ;;
*)
    set -- -n "$ranks" "$@"
    if [ "$dedicated" = 1 ]; then
        set -- -bind-to core "$@"
    elif [ -n "${YIELD:-}" ]; then
        # Without it tests take twenty times as long, and run into their limits.
        if [ ! -f "$YIELD" ]; then
            echo "there is no $YIELD; build it: ninja tests/ranks/yield.so, in the folder of the build" >&2
            exit 1
        fi
        set -- -genv LD_PRELOAD "$YIELD" "$@"
    fi
    ;;
esac

# timeout leads a process group of its own and ends all of it; exec, so that whoever ends us ends that group, too.
exec timeout --kill-after=10 "$limit" "$launcher" "$@"
