#!/bin/sh
# The recipe for Spack against a stand-in for Spack, which is not needed: its options are those of meson.build, Meson takes
# them as Spack gives them, and its smoke test runs with an installed halogen.
#
# usage: spack.sh BUILD_DIRECTORY SOURCE_ROOT WORK_DIRECTORY MPI PYTHON      MPI: openmpi or mpich
set -eu
build=$1
root=$2
work=$3
mpi=$4
python=$5
. "$root/tests/install/stage.sh"

stage
mkdir "$work/smoke test"
cd "$work/smoke test"
# Spack's users are seldom root, and tests may be.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 PYTHONDONTWRITEBYTECODE=1
PYTHONPATH=$(pkg-config --variable=python hx | tr -d '\\')
export PYTHONPATH
"$python" "$root/tests/install/spack_recipe.py" "$root" "$prefix" "$mpi" >"$work/printed" 2>&1 || {
    cat "$work/printed"
    fail 'the recipe does not do'
}
tail -n 1 "$work/printed"

# What the recipe and Spack itself tell Meson; the path of libraries is absolute there.
while read -r argument; do
    set -- "$@" "$argument"
done <meson_arguments
shift 5
meson setup "$work/build" "$root" "-Dprefix=$work/to" "-Dlibdir=$work/to/lib" -Dbuildtype=release -Dstrip=false \
    -Ddefault_library=shared -Dwrap_mode=nodownload "$@" >"$work/log" 2>&1 || {
    cat "$work/log"
    fail 'Meson does not take the arguments of the recipe'
}
