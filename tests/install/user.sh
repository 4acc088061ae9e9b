#!/bin/sh
# Builds the project in user/ with an installed halogen, as a user would: what is built runs, a change of a spec or of
# what it includes is seen, and a build without a change does nothing.
#
# usage: user.sh BUILD_DIRECTORY SOURCE_ROOT WORK_DIRECTORY MPI SYSTEM
#        MPI: openmpi or mpich      SYSTEM: meson, cmake-ninja, cmake-make or make
set -eu
build=$1
root=$2
work=$3
mpi=$4
system=$5
project="$work/a user"
. "$root/tests/install/stage.sh"

# What each system calls: itself, and what it has to say when there is nothing to do, and when it compiles.
programs="$project/build"
case $system in
meson)
    needed=meson
    configure() { meson setup "$project/build" "$project"; }
    make_all() { ninja -C "$project/build"; }
    nothing='no work to do'
    ;;
cmake-*)
    needed=cmake
    generator=Ninja
    nothing='no work to do'
    if [ "$system" = cmake-make ]; then
        generator='Unix Makefiles'
        needed='cmake make'
        nothing=
    fi
    configure() {
        cmake -S "$project" -B "$project/build" -G "$generator" -DCMAKE_PREFIX_PATH="$prefix" \
            -DMPI_C_COMPILER="mpicc.$mpi" -DCMAKE_C_FLAGS='-Wall -Wextra -Werror'
    }
    make_all() { cmake --build "$project/build"; }
    ;;
make)
    needed=make
    programs=$project
    configure() { :; }
    make_all() { make -C "$project"; }
    nothing="Nothing to be done for 'all'"
    ;;
esac
# shellcheck disable=SC2086 # words
needs $needed

try_build() {
    make_all >"$work/log" 2>&1
}

build() { # when
    try_build || {
        cat "$work/log"
        fail "$1: does not build"
    }
}

# Makefiles of CMake say nothing if there is nothing to do; what they do they call building, generating or linking.
expect_nothing_to_do() { # when
    build "$1"
    if [ -n "$nothing" ]; then
        grep -q -- "$nothing" "$work/log"
    else
        ! grep -q -E 'Building|Generating|Linking' "$work/log"
    fi || {
        cat "$work/log"
        fail "$1: there was something to do"
    }
}

expect_run() { # when, program, what it prints
    printed=$(sh "$root/tests/mpirun.sh" 2 "$programs/$2") || fail "$1: $2 fails: $printed"
    case $printed in
    *"$3"*) ;;
    *) fail "$1: expected '$3' of $2, but it says: $printed" ;;
    esac
}

# A build that makes this many layers, and another that does nothing.
expect_layers() { # when, layers
    build "$1"
    expect_run "$1" heat "$2 layers, 0 points wrong"
    expect_nothing_to_do "$1, second build"
}

# Make and Ninja tell files apart by their dates.
edit() { # file, text
    sleep 0.02
    printf '%s\n' "$2" >"$project/$1"
}

libraries_of() {
    readelf -d "$programs/$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'
}

stage
cp -R "$root/tests/install/user" "$project"
configure >"$work/log" 2>&1 || {
    cat "$work/log"
    fail 'cannot be configured'
}

expect_layers 'first build' 1
expect_run 'first build' both '2 specs, 0 points wrong'
expect_run 'first build' heat_check ' passed, 0 failed'
libraries_of heat | grep -q '^libhx\.so\.[0-9]*$' || fail "heat uses another libhx: $(libraries_of heat)"
libraries_of both | grep -q libhx && fail 'both has libhx inside, and yet needs the shared one'

edit layers.lua 'return 2'
expect_layers 'included file changed' 2

edit heat.lua "$(sed 's/halo = layers/halo = layers + 1/' "$project/heat.lua")"
expect_layers 'spec changed' 3

# Emitted the same, and so nothing is compiled again.  Objects that are made anew are newer than this file.
expect_compilations() { # when, how many
    build "$1"
    compiled=$(find "$project" -name '*.o' -newer "$work/before" | wc -l)
    [ "$compiled" -eq "$2" ] || fail "$1: $compiled files were compiled, not $2"
    expect_nothing_to_do "$1, second build"
}

sleep 0.02
touch "$work/before"
sleep 0.02
touch "$project/layers.lua"
expect_compilations 'included file touched' 0
edit heat.lua "$(cat "$project/heat.lua")
-- A remark."
expect_compilations 'a remark in the spec' 0
edit wind.lua "$(sed 's/halo = 2/halo = 3/' "$project/wind.lua")"
expect_compilations 'halo of one spec changed' 2 # its code, and both.cc, which includes its header

edit layers.lua 'return "two"'
try_build && fail 'spec broken: built nevertheless'
grep -q 'heat.lua:[0-9]*:[0-9]*: error' "$work/log" || fail 'spec broken: no place is named'

edit heat.lua "$(sed 's/include "layers.lua"/2/' "$project/heat.lua")"
rm "$project/layers.lua"
expect_layers 'included file gone' 3

# Of a code that knows one compiler only, that of C++.
if [ "$system" = make ]; then
    make -C "$project" -B both CC="mpicxx.$mpi -x c" CXX="mpicxx.$mpi" >"$work/log" 2>&1 ||
        fail "mpicxx alone does not build: $(cat "$work/log")"
    grep -q "^mpicxx.$mpi -x c .*generated/heat.c" "$work/log" || fail "mpicxx is not used: $(cat "$work/log")"
    expect_run 'mpicxx alone' both '2 specs, 0 points wrong'
fi

cd "$project"
generated=$(dirname "$(find . -name wind.h)")
"$prefix/bin/halogen" generate --compare wind.lua -D width=2 -o "$generated" || fail 'the emitted files are not what halogen emits'
echo 'all is well'
