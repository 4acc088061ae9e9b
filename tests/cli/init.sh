#!/bin/sh
# halogen init: which files it writes, that it replaces none, and which names it takes.
#
# usage: init.sh HALOGEN
#
# With ERRORS_EVERY=N in the environment only every N-th combination is tried.
. "$(dirname "$0")/stand-in.sh"
rm -r modules

files() {
    (cd "$1" && find . -type f | LC_ALL=C sort | tr '\n' ' ')
}

# Every combination has its files, and a spec that is right.
number=0
for language in c.main.c cxx.main.cc fortran.main.f90 python.main.py; do
    for build in make.Makefile cmake.CMakeLists.txt meson.meson.build; do
        for grid in cartesian cubed-sphere fold tiles list; do
            number=$((number + 1))
            [ $((number % ${ERRORS_EVERY:-1})) = 0 ] || continue
            expect 0 "heat.lua, ${language#*.}, ${build#*.} and .luarc.json are written" "$halogen" init heat -o out \
                --language "${language%%.*}" --build "${build%%.*}" --grid $grid
            written=$(printf './%s\n' .luarc.json heat.lua "${language#*.}" "${build#*.}" | LC_ALL=C sort | tr '\n' ' ')
            [ "$(files out)" = "$written" ] || complain "$language $build $grid: $(files out) are there, not $written"
            expect 0 "" "$halogen" check out/heat.lua --emit "c,$(echo "${language%%.*}" | sed 's/^c$/check/')"
            rm -r out
        done
    done
done

# Into the current folder, by default in C, for make.
mkdir here
expect 0 "./wave" sh -c "cd here && '$halogen' init wave"
[ "$(files here)" = "./.luarc.json ./Makefile ./main.c ./wave.lua " ] || complain "in the current folder: $(files here)"

expect 0 "Now:

    make
    mpirun -n 2 ./wave" sh -c "rm -r here && mkdir here && cd here && '$halogen' init wave"
expect 0 "
    cd 'it'\''s here'
    cmake -B build && cmake --build build
    mpirun -n 2 build/wave" "$halogen" init wave -o "it's here" --build cmake

# A file in the way stops all, also an empty one, and says which.
for file in wave.lua main.c Makefile .luarc.json; do
    rm -rf taken
    mkdir taken
    : >"taken/$file"
    expect 2 "'taken/$file' exists already; choose another folder with -o, or move it away" "$halogen" init wave -o taken
    [ "$(files taken)" = "./$file " ] && [ ! -s "taken/$file" ] || complain "$file in the way: $(files taken)"
done
rm -rf taken
mkdir taken
ln -s nowhere taken/main.c
expect 2 "'taken/main.c' exists already" "$halogen" init wave -o taken

# Lines of Fortran have 132 characters at most, also with the longest name that the language takes.
for grid in cartesian cubed-sphere fold tiles list; do
    rm -rf long
    expect 0 "" "$halogen" init wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww --language fortran --grid $grid -o long
    awk '!/^ *!/ && length($0) > 132 { print FILENAME ": " $0; bad = 1 } END { exit bad }' long/main.f90 ||
        complain "$grid: a line of Fortran is too long"
done

# Names of a spec, which also C, the language and the program must leave free.
expect 2 'NAME given; say halogen init NAME' "$halogen" init
expect 2 '"my-wave" cannot be the name of a spec' "$halogen" init my-wave -o no
expect 2 '"../wave" cannot be the name of a spec' "$halogen" init ../wave -o no
expect 2 "the program has 'spread_heat' for something else" "$halogen" init spread_heat -o no
expect 1 "strcmp.lua:" "$halogen" init strcmp -o no
expect 1 "types.lua:" "$halogen" init types --language python -o no
expect 2 "--grid cannot be 'sphere'; it takes cartesian|cubed-sphere|fold|tiles|list" "$halogen" init wave --grid sphere
expect 2 "--emit is no option of 'init'" "$halogen" init wave --emit c -o no
expect 2 "the name of a spec cannot have 300 characters" "$halogen" init "$(printf '%0300d' 0 | tr 0 x)" -o no
expect 2 "make keeps the name 'generated' for itself" "$halogen" init generated -o no
expect 2 "make keeps the name 'modules' for itself" "$halogen" init modules --language fortran -o no
expect 2 "cmake keeps the name 'install' for itself" "$halogen" init install --build cmake -o no
expect 2 "meson keeps the name 'test' for itself" "$halogen" init test --build meson -o no
expect_absent no

# The folder of the annotations, where they are installed: beside the program, wherever that is.
mkdir -p 'tree/a "b\/bin' 'tree/a "b\/share/halogen/lua'
cp "$halogen" 'tree/a "b\/bin/halogen'
expect 0 "" 'tree/a "b\/bin/halogen' init wave -o plain
grep -q workspace.library plain/.luarc.json && complain "annotations that are not there are named"
touch 'tree/a "b\/share/halogen/lua/halogen.lua'
expect 0 "" 'tree/a "b\/bin/halogen' init wave -o annotated
grep -qF "\"workspace.library\": [\"$(realpath tree)/a \\u0022b\\u005c/share/halogen/lua\"]" annotated/.luarc.json ||
    complain "the annotations are not named: $(cat annotated/.luarc.json)"
if command -v python3 >/dev/null; then
    python3 -m json.tool annotated/.luarc.json >said && python3 -m json.tool plain/.luarc.json >said ||
        complain ".luarc.json is no JSON"
fi
finish
