#!/bin/sh
# Installs halogen under a prefix of its own and builds meson-user/ with it, as a user would: the first build runs, a
# change of the spec or of what it includes is seen, and a build without a change does nothing.
#
# usage: user.sh SOURCE_ROOT WORK_DIRECTORY MPI      MPI: the value of the project's option
set -eu
root=$1
work=$2
mpi=$3
prefix="$work/a prefix"
project="$work/a user"
here=$root/tests/install

fail() {
    echo "FAIL $*"
    exit 1
}

install_halogen() {
    meson setup --prefix "$prefix" --libdir lib --buildtype=release -Dmpi="$mpi" "$work/halogen" "$root"
    meson compile -C "$work/halogen" halogen hx:shared_library hx:static_library
    meson install -C "$work/halogen" --no-rebuild
}

build() {
    ninja -C "$project/build" >"$work/log" 2>&1 || {
        cat "$work/log"
        fail "$1: does not build"
    }
    cat "$work/log"
}

# Builds, and expects that the log has, or has not, a line.
expect_log() { # when, text
    build "$1"
    grep -q -- "$2" "$work/log" || fail "$1: expected '$2' of ninja"
}

expect_nothing_to_do() {
    expect_log "$1" 'no work to do'
}

expect_run() { # when, layers
    printed=$(sh "$root/tests/mpirun.sh" 2 "$project/build/heat") || fail "$1: the program fails: $printed"
    [ "$printed" = "$2 layers, 0 points wrong" ] || fail "$1: expected $2 layers, the program says: $printed"
}

# Ninja tells files apart by their times.
edit() { # file, text
    sleep 0.01
    printf '%s\n' "$2" >"$project/$1"
}

rm -rf "$work"
mkdir -p "$project"
cp "$here/meson-user/"* "$project"
install_halogen
export PKG_CONFIG_PATH="$prefix/lib/pkgconfig"

# pkg-config escapes the space; Meson then looks for the program in PATH.
halogen=
eval "halogen=$(pkg-config --variable=halogen hx)"
"$halogen" --version || fail "hx.pc names '$halogen' as the generator"
export PATH="$PATH:$prefix/bin"

meson setup "$project/build" "$project"

build 'first build'
expect_run 'first build' 1
expect_nothing_to_do 'second build'

edit layers.lua 'return 2'
build 'included file changed'
expect_run 'included file changed' 2
expect_nothing_to_do 'after the included file changed'

edit heat.lua "$(sed 's/halo = layers/halo = layers + 1/' "$project/heat.lua")"
build 'spec changed'
expect_run 'spec changed' 3
expect_nothing_to_do 'after the spec changed'

touch "$project/layers.lua"
build 'included file touched'
grep -q 'Compiling' "$work/log" && fail 'included file touched: emitted the same, and yet compiled again'
expect_nothing_to_do 'after the included file was touched'

edit layers.lua 'return "two"'
ninja -C "$project/build" >"$work/log" 2>&1 && fail 'spec broken: built nevertheless'
grep -q 'heat.lua:[0-9]*:[0-9]*: error' "$work/log" || fail 'spec broken: no place is named'
edit layers.lua 'return 1'
build 'spec repaired'
expect_run 'spec repaired' 2
echo 'all is well'
