#!/bin/sh
# clang-tidy has nothing to say of the C of the generator and of libhx; .clang-tidy has the list of checks.
#
# usage: tidy.sh SOURCE_ROOT BUILD_ROOT PACKAGE_OF_MPI
set -u
root=$1 build=$2 mpi=$3
command -v clang-tidy >/dev/null || { echo 'skipped: there is no clang-tidy'; exit 77; }
cd "$root" || exit 2
headers=$(pkg-config --cflags "$mpi" lua5.4 2>/dev/null || pkg-config --cflags "$mpi" lua) || exit 2

# Our file names have no white space.  libhx_cuda needs CUDA's headers, glue of Fortran another compiler's, and coverage.c
# another build.
tidy() { # folder, files to leave out, flags...
    folder=$1 left_out=$2
    shift 2
    find "$folder" -name '*.c' ! -path "$left_out" ! -name coverage.c ! -path "runtime/fortran/*" | sort |
        xargs -P 2 -n 12 sh -c 'flags=$1; shift; clang-tidy --quiet "$@" -- $flags' tidy \
            "-std=c11 -D_POSIX_C_SOURCE=200809L $*" 2>/dev/null
}

found=$(
    tidy runtime '*/device_cuda.c' "$headers" -DHX_BUILD='"tidy"' -Iruntime/include -Iruntime -I"$build/runtime"
    tidy gen '*/none' "$headers" -D_GNU_SOURCE -DHALOGEN_VERSION='"tidy"' -DHALOGEN_ANNOTATIONS='"tidy"' -Igen -Iruntime/include -Iruntime -I"$build/gen"
)
if [ -n "$found" ]; then
    echo "$found"
    exit 1
fi
echo 'nothing to say'
