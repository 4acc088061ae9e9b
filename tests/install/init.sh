#!/bin/sh
# What halogen init writes, for each grid and language: it builds and runs on two ranks.  A program ends with 0 only if no
# heat is lost, which it is where a halo is stale.  One build takes all of them in, so that compilers are looked for once.
#
# usage: init.sh BUILD_DIRECTORY SOURCE_ROOT WORK_DIRECTORY MPI SYSTEM
#        MPI: openmpi or mpich      SYSTEM: meson, cmake or make
set -eu
build=$1
root=$2
work=$3
mpi=$4
system=$5
. "$root/tests/install/stage.sh"

languages=c
! command -v "mpicxx.$mpi" >/dev/null || languages="$languages cxx"
! command -v "mpifort.$mpi" >/dev/null || languages="$languages fortran"
python=/usr/bin/python3
[ -x "$python" ] || python=python3
if [ "$mpi" = openmpi ] && "$python" -c 'import numpy, mpi4py' 2>/dev/null; then
    languages="$languages python"
fi
# Meson does not understand what Debian's mpifort of MPICH tells.
[ "$system $mpi" != 'meson mpich' ] || languages=$(echo "$languages" | sed 's/ fortran//')
needs "$system"

# Meson takes the backslash that pkg-config puts before a space for a slash.
[ "$system" != meson ] || prefix="$work/prefix"
stage
project="$work/project"
mkdir -p "$project/subprojects"
names=
for language in $languages; do
    for grid in cartesian cubed-sphere fold tiles list; do
        name=$(echo "${language}_$grid" | tr - _)
        names="$names $name"
        "$prefix/bin/halogen" init "$name" --grid "$grid" --language "$language" --build "$system" \
            -o "$project/subprojects/$name" >"$work/said" || fail "init $name"
        grep -q "^    mpirun -n 2 " "$work/said" || fail "init $name does not say how to run it: $(cat "$work/said")"
        grep -qF "\"workspace.library\": [\"$(realpath "$prefix")/share/halogen/lua\"]" \
            "$project/subprojects/$name/.luarc.json" || fail "init $name names no annotations for editors"
    done
done

built="$project/build"
case $system in
meson)
    echo "project('all', 'c')" >"$project/meson.build"
    for name in $names; do
        echo "subproject('$name')" >>"$project/meson.build"
    done
    build_all() {
        CC="mpicc.$mpi" CXX="mpicxx.$mpi" FC="mpifort.$mpi" meson setup --buildtype=plain "$built" "$project" &&
            ninja -C "$built"
    }
    place_of() { echo "$built/subprojects/$1"; }
    ;;
cmake)
    {
        echo 'cmake_minimum_required(VERSION 3.20)'
        echo 'project(all LANGUAGES C)'
        for name in $names; do
            echo "add_subdirectory(subprojects/$name)"
        done
    } >"$project/CMakeLists.txt"
    build_all() {
        cmake -S "$project" -B "$built" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_PREFIX_PATH="$prefix" \
            -DMPI_C_COMPILER="mpicc.$mpi" -DMPI_CXX_COMPILER="mpicxx.$mpi" -DMPI_Fortran_COMPILER="mpifort.$mpi" &&
            cmake --build "$built" --parallel 2
    }
    place_of() { echo "$built/subprojects/$1"; }
    ;;
make)
    build_all() {
        for name in $names; do
            make -j 2 -C "$project/subprojects/$name" CC="mpicc.$mpi" CXX="mpicxx.$mpi" FC="mpifort.$mpi" || return 1
        done
    }
    place_of() { echo "$project/subprojects/$1"; }
    ;;
esac
build_all >"$work/log" 2>&1 || {
    tail -n 40 "$work/log"
    fail 'does not build'
}

PYTHONPATH=$(pkg-config --variable=python hx | tr -d '\\')
export PYTHONPATH PYTHONDONTWRITEBYTECODE=1
for name in $names; do
    case $name in
    python_*) set -- "$python" "$project/subprojects/$name/main.py" "$(place_of "$name")" ;;
    *) set -- "$(place_of "$name")/$name" ;;
    esac
    # A quarter is hot of the ring, or of the first tile of 6, 2 or 1.
    case $name in
    *_cubed_sphere) heat=31488.000 ;;
    *_tiles) heat=27392.000 ;;
    *) heat=26368.000 ;;
    esac
    printed=$(sh "$root/tests/mpirun.sh" 2 "$@" 2>&1) || fail "$name: $printed"
    [ "$printed" = "heat after 100 steps: $heat, before: $heat" ] || fail "$name says: $printed"
done
echo "built and run:$names"
