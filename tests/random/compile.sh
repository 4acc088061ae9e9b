#!/bin/sh
# Builds DIRECTORY/random from DIRECTORY/*.c and the test: compile.sh SETTINGS DIRECTORY
#
# RANDOM_OPTIMIZE: options in place of -O1 -g.  RANDOM_COMPILER: compiles the specs, one after the other, as tcc does in a tenth
# of the time; what it cannot compile, such as complex numbers, goes to the usual compiler.
set -eu

. "$1"
cd "$2"
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
flags="-std=c11 ${RANDOM_OPTIMIZE:--O1 -g} $flags $(pkg-config --cflags "$mpi") -I$here/../../runtime/include -I$here -I$here/../exchange -I."
libraries="-L$build/runtime -lhx $(pkg-config --libs "$mpi") -Wl,-rpath,$build/runtime"

# Objects of the test itself stay from one build to the next.
for source in "$here"/*.c "$here/../exchange/check.c"; do
    object=harness_$(basename "$source" .c).o
    # shellcheck disable=SC2086 # lists of words
    [ -f "$object" ] || $compiler $flags -c "$source" -o "$object"
done
# shellcheck disable=SC2086
if [ -n "${RANDOM_COMPILER:-}" ]; then
    for source in r[0-9]*.c tables*.c; do
        $RANDOM_COMPILER $flags '-D__builtin_prefetch=(void)' -c "$source" 2>/dev/null || $compiler $flags -c "$source"
    done
else
    ls r[0-9]*.c tables*.c | xargs -P "$(nproc)" -n 1 $compiler $flags -c
fi
# shellcheck disable=SC2086
$compiler $flags -Wl,-z,noexecstack ./*.o $libraries -o random
