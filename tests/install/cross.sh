#!/bin/sh
# Builds halogen for another machine, and then the project in user/ for it: libhx and the user's code come from the
# cross compiler, halogen runs here.  What is built is linked, not run.  A library of empty functions stands in for MPI
# of the other machine.
#
# usage: cross.sh BUILD_DIRECTORY SOURCE_ROOT WORK_DIRECTORY MPI      MPI: openmpi or mpich
set -eu
build=$1
root=$2
work=$3
mpi=$4
. "$root/tests/install/stage.sh"
target=aarch64-linux-gnu
machine=AArch64

if ! command -v $target-gcc >/dev/null || ! command -v $target-g++ >/dev/null; then
    echo "skipped: no $target-gcc or $target-g++ on this machine"
    exit 77
fi

# The halogen that runs here, and the functions and variables that MPI has here.
stage
mpi_package=$(pkg-config --print-requires hx)
mpi_cflags=$(pkg-config --cflags "$mpi_package")
mpi_here=$(ldd "$(find "$prefix" -name libhx.so)" | sed -n 's/.*libmpi[^ ]* => \([^ ]*\).*/\1/p')
mkdir "$work/mpi"
nm -D --defined-only "$mpi_here" | sed -n '
    s/.* [TW] \([A-Z_]*MPI_[A-Za-z_]*\)$/void \1(void) {}/p
    s/.* [BDRV] \([a-zA-Z_]*mpi_[a-z0-9_]*\)$/char \1[1024];/p' >"$work/mpi/mpi.c"
$target-gcc -shared -fPIC "$work/mpi/mpi.c" -o "$work/mpi/libmpi.so"
cat >"$work/mpi/$mpi_package.pc" <<END
Name: $mpi_package
Description: stands in for MPI of another machine
Version: 3.1
Libs: -L$work/mpi -lmpi
Cflags: $mpi_cflags
END

cat >"$work/cross.ini" <<END
[binaries]
c = '$target-gcc'
cpp = '$target-g++'
ar = '$target-ar'
strip = '$target-strip'
pkgconfig = 'pkg-config'

[built-in options]
pkg_config_path = '$work/mpi:$work/for other/lib/pkgconfig'

[host_machine]
system = 'linux'
cpu_family = 'aarch64'
cpu = 'aarch64'
endian = 'little'
END

# step WORDS COMMAND...
step() {
    when=$1
    shift
    "$@" >"$work/log" 2>&1 || {
        cat "$work/log"
        fail "$when"
    }
}

expect_machine() { # machine, file
    readelf -h "$2" | grep -q "Machine:.*$1" || fail "$2 is not for $1: $(readelf -h "$2" | grep Machine)"
}

step 'halogen cannot be configured for another machine' \
    meson setup --cross-file "$work/cross.ini" --prefix "$work/for other" --libdir lib -Dmpi="$mpi" "$work/halogen" "$root"
step 'halogen cannot be built for another machine' meson compile -C "$work/halogen"
step 'halogen cannot be installed for another machine' meson install -C "$work/halogen" --no-rebuild
"$work/halogen/gen/halogen" --version >/dev/null || fail 'the halogen of a build for another machine does not run here'
expect_machine $machine "$work/for other/lib/libhx.so"
[ ! -e "$work/for other/bin" ] || fail 'a halogen that runs here is installed for another machine'

cp -R "$root/tests/install/user" "$work/a user"
step 'a project cannot be configured with Meson' \
    meson setup --cross-file "$work/cross.ini" "$work/a user/build" "$work/a user"
step 'a project cannot be built with Meson' ninja -C "$work/a user/build"
for program in heat both heat_check; do
    expect_machine $machine "$work/a user/build/$program"
done

if ! command -v cmake >/dev/null; then
    echo 'all is well with Meson; CMake is not tried, because this machine has none'
    exit 0
fi
cat >"$work/toolchain.cmake" <<END
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER $target-gcc)
set(CMAKE_CXX_COMPILER $target-g++)
END
cp "$work/mpi/$mpi_package.pc" "$work/mpi/mpi-c.pc" # the name that CMake asks for
PKG_CONFIG_LIBDIR=$work/mpi
export PKG_CONFIG_LIBDIR
unset PKG_CONFIG_PATH
step 'a project cannot be configured with CMake' \
    cmake -S "$work/a user" -B "$work/a user/cmake" -G Ninja -DCMAKE_TOOLCHAIN_FILE="$work/toolchain.cmake" \
    -DCMAKE_PREFIX_PATH="$work/for other" -DHalogen_EXECUTABLE="$prefix/bin/halogen" -DMPI_SKIP_COMPILER_WRAPPER=TRUE \
    -DMPI_mpi_LIBRARY="$work/mpi/libmpi.so"
step 'a project cannot be built with CMake' cmake --build "$work/a user/cmake"
for program in heat both heat_check; do
    expect_machine $machine "$work/a user/cmake/$program"
done
echo 'all is well'
