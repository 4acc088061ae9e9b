#!/bin/sh
# Compiles a Fortran program with the modules of its specs, and runs it on several ranks.
#
# usage: run.sh BUILD_ROOT MPI WORK_DIR COMPILER FLAGS RANKS PROGRAM.f90 SPEC...
#
# MPI: ompi-c or mpich.  FLAGS, RANKS: lists of words.  A program is right where it exits with 0 and prints no line "FAIL ...".
# Names of specs are those of their files.  A file PROGRAM.c beside the program is linked with it.
set -u
here=$(cd "$(dirname "$0")" && pwd)
build=$1 mpi=$2 work=$3 compiler=$4 flags=$5 ranks=$6 program=$7
shift 7
. "$here/compile.sh"

rm -rf "$work"
mkdir -p "$work"
find_compiler || exit 77
compile_shared || exit 1
compile_fortran "$here/oracle.f90" || exit 1
for spec; do compile_spec "$spec" || exit 1; done
link_program "$program" || exit 1
for count in $ranks; do
    "$here/../mpirun.sh" "$count" "$work/program" >"$work/said" 2>&1
    code=$?
    cat "$work/said"
    if [ "$code" -ne 0 ] || grep -q FAIL "$work/said"; then
        echo "FAIL on $count ranks: exit code $code"
        exit 1
    fi
done
