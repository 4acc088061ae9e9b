#!/bin/sh
# Builds the project of a language in user/ with an installed halogen, as a user would: what is built runs, a change of the
# spec is seen, and a build without a change does nothing.
#
# usage: language.sh BUILD_DIRECTORY SOURCE_ROOT WORK_DIRECTORY MPI SYSTEM LANGUAGE
#        MPI: openmpi or mpich      SYSTEM: meson, cmake or make      LANGUAGE: a folder of user/
set -eu
build=$1
root=$2
work=$3
mpi=$4
system=$5
language=$6
project="$work/a user/$language"
. "$root/tests/install/stage.sh"
if [ "$system" = meson ]; then
    prefix="$work/prefix" # Meson takes the backslash that pkg-config puts before a space for a slash
fi

# What each language needs to be compiled and started.  Debian's packages are for Debian's Python.
python=/usr/bin/python3
[ -x "$python" ] || python=python3
case $language in
fortran) compiler=mpifort.$mpi ;;
cxx) compiler=mpicxx.$mpi ;;
python)
    compiler=$python
    if ! "$python" -c 'import numpy, mpi4py' 2>/dev/null; then
        echo 'skipped: no NumPy or mpi4py for Python on this machine'
        exit 77
    elif [ "$mpi" != openmpi ]; then
        echo 'skipped: mpi4py of Debian is for Open MPI'
        exit 77
    fi
    ;;
esac
if [ "$language $system $mpi" = 'fortran meson mpich' ]; then
    echo "skipped: Meson does not understand what Debian's mpifort of MPICH tells"
    exit 77
fi
needs "$system" "$compiler"

stage
cp -R "$root/tests/install/user" "$work/a user"
built="$project/build"
nothing='no work to do'
case $system in
meson)
    configure() { meson setup "$built" "$project"; }
    make_all() { ninja -C "$built"; }
    emitted=$built
    ;;
cmake)
    # What MPICH wants of Fortran compilers CMake gives to those of C, too, which warn of it.
    c_flags='-Wall -Wextra -Werror'
    [ "$language $mpi" != 'fortran mpich' ] || c_flags='-Wall -Wextra'
    configure() {
        cmake -S "$project" -B "$built" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" -DMPI_C_COMPILER="mpicc.$mpi" \
            -DMPI_CXX_COMPILER="mpicxx.$mpi" -DMPI_Fortran_COMPILER="mpifort.$mpi" \
            -DCMAKE_C_FLAGS="$c_flags" -DCMAKE_CXX_FLAGS='-Wall -Wextra -Werror' \
            -DCMAKE_Fortran_FLAGS='-Wall -Wextra -Werror'
    }
    make_all() { cmake --build "$built"; }
    emitted=$built/halogen/heat
    ;;
make)
    built=$project
    configure() { :; }
    make_all() { make -C "$project" CC="mpicc.$mpi" CXX="mpicxx.$mpi" FC="mpifort.$mpi"; }
    nothing='is up to date'
    emitted=$project/generated
    ;;
esac

run() {
    if [ "$language" = python ]; then
        # pkg-config puts a backslash before a space.
        PYTHONPATH=$(pkg-config --variable=python hx | tr -d '\\') PYTHONDONTWRITEBYTECODE=1 \
            sh "$root/tests/mpirun.sh" 2 "$python" "$project/main.py" "$emitted" "$built/libheat.so"
    else
        sh "$root/tests/mpirun.sh" 2 "$built/heat"
    fi
}

# A build that makes this many layers.
expect_layers() { # when, layers
    make_all >"$work/log" 2>&1 || {
        cat "$work/log"
        fail "$1: does not build"
    }
    printed=$(run 2>&1) || fail "$1: the program fails: $printed"
    [ "$printed" = "$2 layers, 0 points wrong" ] || fail "$1: expected $2 layers, but the program says: $printed"
}

configure >"$work/log" 2>&1 || {
    cat "$work/log"
    fail 'cannot be configured'
}
expect_layers 'first build' 1
expect_nothing_to_do 'first build'
sleep 0.02
printf 'return 2\n' >"$work/a user/layers.lua"
expect_layers 'included file changed' 2
# gfortran keeps the date of a .mod file whose content stays the same, and Meson 1.0 then compiles its source in each build.
[ "$language $system" = 'fortran meson' ] || expect_nothing_to_do 'included file changed'
echo 'all is well'
