#!/bin/sh
# What the CMake package says to projects that cannot work, and what it does for those of other habits.
#
# usage: refusals.sh BUILD_DIRECTORY SOURCE_ROOT WORK_DIRECTORY MPI      MPI: openmpi or mpich
set -eu
build=$1
root=$2
work=$3
mpi=$4
. "$root/tests/install/stage.sh"

needs cmake
stage
project="$work/a user"
cp -R "$root/tests/install/user" "$project"

# project_of LANGUAGES LINE...: a project of these lines, which asks for CMake $minimum.
minimum=3.20
project_of() {
    {
        printf 'cmake_minimum_required(VERSION %s)\nproject(heat %s)\n' "$minimum" "$1"
        shift
        printf '%s\n' "$@"
    } >"$project/CMakeLists.txt"
}

configure() { # option...
    cmake -S "$project" -B "$project/build" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" "$@" >"$work/log" 2>&1
}

# refuses WORDS OPTION...: CMake breaks its lines anywhere, so that words are compared without them.
refuses() {
    words=$1
    shift
    configure "$@" && fail "no complaint, but '$words' is expected"
    tr -s ' \n' ' ' <"$work/log" | grep -q -F -- "$words" || {
        cat "$work/log"
        fail "expected '$words'"
    }
}

ours=-DMPI_C_COMPILER=mpicc.$mpi
find='find_package(Halogen REQUIRED)'
program='add_executable(heat main.c)'

# Projects may ask for any CMake, and so for the habits of old ones; what they asked for holds for them afterwards.
for minimum in 2.8.12 3.0 3.10 "$(cmake --version | sed -n 's/cmake version //p')"; do
    printf 'cmake_minimum_required(VERSION %s)\n' "$minimum" >"$work/asks.cmake"
    if ! cmake -P "$work/asks.cmake" >/dev/null 2>&1; then
        echo "not tried: a project that asks for CMake $minimum, which this one refuses"
        continue
    fi
    project_of C 'cmake_policy(GET CMP0057 before)' "$find" 'cmake_policy(GET CMP0057 after)' \
        'if(NOT "x${before}" STREQUAL "x${after}")' 'message(FATAL_ERROR "habits are changed")' 'endif()' \
        "$program" 'halogen_add_spec(heat SPEC heat.lua)' 'target_link_libraries(heat PRIVATE Halogen::hx)'
    configure "$ours" || {
        cat "$work/log"
        fail "a project that asks for CMake $minimum cannot be configured"
    }
    cmake --build "$project/build" >"$work/log" 2>&1 ||
        fail "a project that asks for CMake $minimum: $(cat "$work/log")"
done
minimum=3.20
rm -rf "$project/build"

# Another MPI than that of libhx, where there is another one.
other=mpich
[ "$mpi" = openmpi ] || other=openmpi
if command -v "mpicc.$other" >/dev/null; then
    project_of C "$find"
    refuses "libhx is built with $mpi, but CMake has found another MPI in" "-DMPI_C_COMPILER=mpicc.$other"
    rm -rf "$project/build"
else
    echo "not tried: another MPI, which this machine has not"
fi

version=$("$prefix/bin/halogen" --version | sed -n '1s/.* //p')
for wanted in 0.0.9 0.2 1 "$version.1"; do
    project_of C "find_package(Halogen $wanted REQUIRED)"
    refuses "requested version \"$wanted\"" "$ours"
done
for wanted in "${version%.*}" "$version" "$version EXACT"; do
    project_of C "find_package(Halogen $wanted REQUIRED)"
    configure "$ours" || fail "version $version does not do where $wanted is wanted"
done

project_of C "$find" 'halogen_add_spec(heat SPEC heat.lua)'
refuses "there is no target 'heat'; add it first"
project_of C "$find" "$program" 'halogen_add_spec(heat heat.lua)'
refuses 'usage: halogen_add_spec(<target> SPEC <file>'
project_of C "$find" "$program" 'halogen_add_spec(heat SPEC heat.lua NO)'
refuses 'usage: halogen_add_spec(<target> SPEC <file>'
project_of C "$find" "$program" 'halogen_add_spec(heat SPEC heat.lua LANGUAGES C Cobol)'
refuses "'Cobol' is none of the LANGUAGES C, CXX, Fortran, Python"
for language in CXX Fortran; do
    project_of C "$find" "$program" "halogen_add_spec(heat SPEC heat.lua LANGUAGES $language)"
    refuses "the project does not know $language: say project(... LANGUAGES C $language)"
done
project_of C "$find" "$program" 'halogen_add_spec(heat SPEC none.lua)'
refuses "cannot read '$project/none.lua': No such file or directory"

# CMake itself leaves out files of languages that it does not know.
cp "$root/tests/install/device/warm.lua" "$project"
project_of C "$find" "$program" 'halogen_add_spec(heat SPEC warm.lua)'
refuses 'fields of warm.lua lie in the memory of GPUs: say project(... LANGUAGES C CUDA)'

# Emitted files that are kept among the sources need no halogen.
"$prefix/bin/halogen" "$project/heat.lua" -o "$project/kept" || fail 'halogen does not run'
mv "$prefix/bin/halogen" "$prefix/bin/elsewhere"
refuses 'there is no halogen that runs on this machine; install one' \
    -DCMAKE_FIND_USE_SYSTEM_ENVIRONMENT_PATH=OFF -DCMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF # where there may be another
project_of C "$find" 'add_executable(heat main.c kept/heat.c)' 'target_include_directories(heat PRIVATE kept)' \
    'target_link_libraries(heat PRIVATE Halogen::hx)'
configure || fail 'emitted files that are kept need halogen'
cmake --build "$project/build" >"$work/log" 2>&1 || fail "emitted files that are kept: $(cat "$work/log")"
project_of C "$find" "$program" 'halogen_add_spec(heat SPEC heat.lua OPTIONS --keep-unchanged)' \
    'target_link_libraries(heat PRIVATE Halogen::hx)'
configure -DHalogen_EXECUTABLE="$prefix/bin/elsewhere" || fail 'a halogen that is named is not used'
mv "$prefix/bin/elsewhere" "$prefix/bin/halogen"
rm -rf "$project/build"

# The name of the spec, and so of the files, need not be that of its file; and it may change.
project_of C "$find" "$program" 'halogen_add_spec(heat SPEC plane.lua)' 'target_link_libraries(heat PRIVATE Halogen::hx)'
mv "$project/heat.lua" "$project/plane.lua"
configure "$ours" || fail 'a spec cannot have another name than its file'
cmake --build "$project/build" >"$work/log" 2>&1 || fail "a spec of another name than its file: $(cat "$work/log")"
sleep 0.02
sed 's/"heat"/"cool"/' "$project/plane.lua" >"$project/new" && mv "$project/new" "$project/plane.lua"
sed 's/heat/cool/g; s/HEAT/COOL/g' "$project/main.c" >"$project/new" && mv "$project/new" "$project/main.c"
cmake --build "$project/build" >"$work/log" 2>&1 || fail "a spec that is called otherwise now: $(cat "$work/log")"

project_of CXX "$find" 'add_executable(both both.cc)' 'halogen_add_spec(both SPEC wind.lua)'
rm -rf "$project/build"
refuses 'emitted code is C, also where the application is C++: say project(... LANGUAGES C CXX)'
echo 'all is well'
