#!/bin/sh
# hx_probe on the fake device: what it notes, and when, of an MPI that can be given memory of devices, and of one that
# cannot, which crashes.
#
# usage: probe.sh LAUNCHER PROGRAM WORK_DIR
set -u
launcher=$1 program=$2 work=$3
failed=0
rm -rf "$work"
mkdir -p "$work"

# What ends with SIGSEGV, or is ended for it, is expected to.
export OMPI_MCA_orte_abort_print_stack=0

# probe RANKS STATUS VERDICT WORDS [VARIABLE=VALUE | ARGUMENT]...: how it ends, the word in the file, what it says.
probe() {
    ranks=$1 status=$2 verdict=$3 words=$4
    shift 4
    arguments=
    while [ $# -gt 0 ]; do
        case $1 in
        -*) arguments="$arguments $1" ;;
        *) export "${1?}" ;;
        esac
        shift
    done
    # shellcheck disable=SC2086 # a list of words
    sh "$launcher" "$ranks" "$program" $arguments >"$work/said" 2>&1
    ended=$?
    [ "$ended" = 77 ] && cat "$work/said" && exit 77
    found=$(cut -f 1 "$HX_VERDICT_FILE" 2>/dev/null | tr '\n' ' ')
    well=true
    [ "$status" = 0 ] && [ "$ended" != 0 ] && well=false
    [ "$status" != 0 ] && [ "$ended" = 0 ] && well=false
    [ "$found" = "$verdict" ] || well=false
    grep -qF -- "$words" "$work/said" || well=false
    if ! $well; then
        failed=$((failed + 1))
        echo "FAIL on $ranks ranks, ended with $ended, noted '$found', expected '$verdict' and \"$words\""
        cat "$work/said"
    fi
    unset FAKE_CUDA_HOST_ACCESS FAKE_MPI_SAYS FAKE_MPI_LOSES FAKE_CUDA_DEVICES
}

export HX_VERDICT_FILE="$work/a/b/verdicts"
probe 2 1 '' 'rank 0 has no device: ' FAKE_CUDA_DEVICES=none
probe 1 0 'yes ' 'messages from rank to rank and to itself' FAKE_MPI_SAYS=1 FAKE_CUDA_HOST_ACCESS=1
probe 3 0 'yes ' 'yes, noted in ' FAKE_MPI_SAYS=1 FAKE_CUDA_HOST_ACCESS=1 FAKE_CUDA_DEVICES=2
probe 2 1 'no ' 'can be given memory of devices' FAKE_MPI_SAYS=1 # and crashes
probe 2 1 'no ' 'cannot be given memory of devices' FAKE_MPI_SAYS=0 FAKE_CUDA_HOST_ACCESS=1
probe 2 0 'insisted ' 'insisted, noted in ' FAKE_MPI_SAYS=0 FAKE_CUDA_HOST_ACCESS=1 --insist
probe 2 1 'no ' 'for byte 0 of the 1048576 that rank' FAKE_MPI_SAYS=1 FAKE_CUDA_HOST_ACCESS=1 FAKE_MPI_LOSES=1

# Lines of others stay.
printf 'yes\telsewhere\tMPI of another machine\n# a remark\n' >"$HX_VERDICT_FILE"
probe 2 0 'yes # a remark yes ' 'yes, noted in ' FAKE_MPI_SAYS=1 FAKE_CUDA_HOST_ACCESS=1
HX_VERDICT_FILE=$work/said/verdicts
probe 2 1 '' 'cannot be written' FAKE_MPI_SAYS=1 FAKE_CUDA_HOST_ACCESS=1
HX_VERDICT_FILE=$work/none
probe 1 2 '' "'--inist' is no argument" --inist
probe 1 0 '' 'usage: ' --help
[ "$failed" -eq 0 ]
