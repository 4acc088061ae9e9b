#!/bin/sh
# Builds the project in device/, whose fields lie in the memory of GPUs, with an installed halogen: device code is compiled
# and linked, and the program exchanges, or, where there is no GPU, is told so in words on all ranks.
#
# usage: device.sh BUILD_DIRECTORY SOURCE_ROOT WORK_DIRECTORY MPI SYSTEM      SYSTEM: meson, cmake or make
set -eu
build=$1
root=$2
work=$3
mpi=$4
system=$5
project="$work/a user"
. "$root/tests/install/stage.sh"
if [ "$system" = meson ]; then
    prefix="$work/prefix" # Meson quotes what it gives to nvcc twice, which spaces do not survive
fi

needs nvcc "$system"
stage
library=$(find "$prefix" -name libhx_cuda.a)
if [ -z "$library" ]; then
    echo 'skipped: libhx_cuda is not built here'
    exit 77
fi
cp -R "$root/tests/install/device" "$project"

directory="$project/build"
nothing='no work to do'
case $system in
meson)
    configure() { meson setup "$directory" "$project"; }
    make_all() { ninja -C "$directory"; }
    ;;
cmake)
    configure() {
        cmake -S "$project" -B "$directory" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" -DMPI_C_COMPILER="mpicc.$mpi" \
            -DCMAKE_C_FLAGS='-Wall -Wextra -Werror'
    }
    make_all() { cmake --build "$directory"; }
    ;;
make)
    directory=$project
    nothing="is up to date"
    configure() { :; }
    make_all() { make -C "$project"; }
    ;;
esac

{ configure && make_all; } >"$work/log" 2>&1 || {
    cat "$work/log"
    fail 'does not build'
}
expect_nothing_to_do 'without a change'

printed=$(sh "$root/tests/mpirun.sh" 2 "$directory/warm") || fail "the program fails: $printed"
told=$(printf '%s\n' "$printed" | grep -c -E '^(0 points wrong|no GPU: .*(driver|device))') || true
[ "$told" = 2 ] || fail "two ranks are expected to find nothing wrong, or no GPU, but: $printed"

# Linked by a compiler of C, it needs no C++; and by none CUDA's shared libraries, which would have to be there to start.
needed=$(readelf -d "$directory/warm" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
case "$system $needed" in
make*libstdc++* | *libcuda*) fail "the program needs other libraries than it should: $needed" ;;
esac

if [ "$system" = cmake ]; then
    mv "$library" "$library.away"
    ! configure >"$work/log" 2>&1 || fail 'a spec with device code does without libhx_cuda'
    tr -s ' \n' ' ' <"$work/log" | grep -q 'but this halogen is without libhx_cuda: install one' ||
        fail "not said that libhx_cuda is missing: $(cat "$work/log")"
fi
printf '%s\n' "$printed"
