#!/bin/sh
# Emitted code is a reader's code: for every spec of the repository it must be the same bytes whenever and wherever it
# is emitted, compile without a warning as C with gcc and clang and as C++ from a C++ includer, be laid out as
# clang-format lays out our own, keep to the allowed headers, and call no MPI function.
#
# usage: emitted.sh HALOGEN SOURCE_ROOT WORK_DIR      CPATH and its like name the headers of hx and of MPI
set -u
halogen=$(realpath "$1") root=$2 work=$3
strict="-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Werror -fsyntax-only"
passed=0 failed=0 skipped=0 places=

rm -rf "$work"
mkdir -p "$work/first" "$work/again" "$work/laid" "$work/all"
sed 's/^ColumnLimit:.*/ColumnLimit: 0/' "$root/.clang-format" > "$work/.clang-format"

verdict() { # what, status
    if [ "$2" -eq 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $1"
    fi
}

have() {
    command -v "$1" > /dev/null && return 0
    skipped=$((skipped + 1))
    return 1
}

# One of the words that check programs use is the name of a spec, fields of another one are words of Python, and a third
# has the name of a module of Python.
products() { # spec
    if grep -q 'spec "cells"' "$1"; then
        echo c,cxx,python
    elif grep -qE 'spec "(words|types)"' "$1"; then
        echo c,check,cxx
    else
        echo c,check,cxx,python
    fi
}

same_bytes() { # spec name
    (cd / && LC_ALL=C.UTF-8 TZ=Asia/Tokyo "$halogen" "$1" -o "$work/again" --emit "$(products "$1")") || return 1
    for file in "$work/first/$2".* "$work/first/$2"_*.*; do
        [ -e "$file" ] || continue
        cmp "$file" "$work/again/$(basename "$file")" || return 1
    done
}

# Beside its own headers emitted code includes those of the structs that the spec describes, and no others.
keeps_to_its_headers() { # file name spec
    theirs=$(sed -n 's/.*header = \("[^"]*"\).*/\1/p' "$3" | sort -u)
    ! grep -n '^#include' "$1" | grep -Ev '<hx/(hx|files|abi|cuda|cuda_signal|cuda_wires)\.h>|<(immintrin|stdbool|stddef|stdint|string)\.h>|"'"$2"'\.h"' |
        grep -vF "${theirs:-no header}" &&
        ! grep -nE '\bMPI_[A-Z][a-z_]+ *\(' "$1"
}

# Without a limit of columns clang-format breaks up enums in one line, which it leaves alone in our own code: they are no
# matter of this test.
is_laid_out() { # name
    rm -f "$work/laid/"*.[ch]
    for file in "$work/first/$1.h" "$work/first/$1"*.c; do
        sed 's/^enum { .*, .* };$/extern int an_enum;/' "$file" > "$work/laid/${file##*/}"
    done
    (cd "$work/laid" && clang-format --dry-run -Werror -- *)
}

# Compile without a warning, and no line ends with a space.
are_python() { # file...
    python3 -W error -c 'import sys
for name in sys.argv[1:]:
    with open(name) as file:
        compile(file.read(), name, "exec")' "$@" && ! grep -n ' $' "$@"
}

one_spec() { # spec
    beside=$(dirname "$1")
    name=$("$halogen" "$1" --list-outputs | sed -n 's/\.h$//p')
    rm -f "$work/first/"* "$work/again/"*
    "$halogen" "$1" -o "$work/first" --emit "$(products "$1")"
    verdict "$1: halogen" $?
    same_bytes "$1" "$name"
    verdict "$1: emitted twice, differs" $?
    for file in "$name.h" "$name.c" "$name.cu" "${name}_python.c"; do
        [ -e "$work/first/$file" ] || continue # there is device code of few, and Python of most
        keeps_to_its_headers "$work/first/$file" "$name" "$1"
        verdict "$1: includes or calls in $file" $?
    done
    for compiler in gcc clang; do
        have $compiler || continue
        # shellcheck disable=SC2086
        $compiler -std=c11 -O2 $strict -I"$work/first" -I"$beside" "$work/first/$name"*.c
        verdict "$1: $compiler" $?
    done
    if have clang-format; then
        is_laid_out "$name"
        verdict "$1: layout" $?
    fi
    # For C99, C++ and Python, which see all specs at once.
    mv "$work/first/$name.h" "$work/all"
    [ ! -e "$work/first/$name.py" ] || mv "$work/first/$name.py" "$work/all"
    grep -q 'header = ' "$1" && into=structs || into=specs
    printf '#include "%s.h"\n#include "%s.h"\n' "$name" "$name" >> "$work/all/$into"
    case $places in *"-I$beside "*) ;; *) places="$places-I$beside " ;; esac
}

# Parameters are called as their axes, and compiled to check indices, those that have changed places are found.
checks_indices() {
    rm -f "$work/first/"*
    printf '%s\n' 'local grid = cartesian { axes = "zyx", fastest = "x" }' \
        'local u = field "u" { on = grid, type = "double", halo = { x = 2 }, at = { y = "both" }, components = 3 }' \
        'return spec "nodes" { exchange "all" { u } }' > "$work/nodes.lua"
    "$halogen" "$work/nodes.lua" -o "$work/first" || return 1
    grep -q 'nodes_u_at(const nodes_shape \*s, int z, int y, int x, int c)' "$work/first/nodes.h" || return 1
    gcc -Wall -Wextra -Werror -DHX_CHECK_INDICES -I"$work/first" "$root/tests/emit/indices.c" -o "$work/indices" \
        -Wl,--unresolved-symbols=ignore-all || return 1 # such as nodes.c has
    "$work/indices" 0 0 -2 0 && "$work/indices" 1 4 6 2 && "$work/indices" 2 5 7 3 || return 1 # behind the last, for loops
    for wrong in "6 4 1 2" "1 6 4 2" "-1 0 0 0" "0 -1 0 0" "0 0 -3 0" "0 0 0 -1" "3 0 0 0" "0 6 0 0" "0 0 8 0" "0 0 0 4"; do
        # shellcheck disable=SC2086
        if "$work/indices" $wrong 2> "$work/said"; then return 1; fi
        grep -q 'nodes_u_at.*Assertion' "$work/said" || return 1
    done
}
if have gcc; then
    checks_indices
    verdict "indices that are checked" $?
fi

# What holds for all specs is said in hx/hx.h, so that the header of a small one is short.
is_short() {
    printf '%s\n' 'local grid = cartesian { axes = "x", periodic = "x" }' \
        'local u = field "u" { on = grid, type = "double", halo = 1 }' \
        'return spec "smallest" { exchange "all" { u } }' > "$work/smallest.lua"
    "$halogen" "$work/smallest.lua" -o "$work/first" && [ "$(wc -l < "$work/first/smallest.h")" -le 120 ]
}
is_short
verdict "the header of the smallest spec has more than 120 lines" $?

# Two specs of one name, or of one before and after a change: a file with the header of one does not link with the source of
# the other, whatever it uses of it and however the linker is told to drop what nobody uses.
twin_of() { # type
    printf '%s\n' 'local grid = cartesian { axes = "x" }' \
        "return spec \"twins\" { exchange \"all\" { field \"u\" { on = grid, type = \"$1\", halo = 1 } } }" > "$work/twins.lua"
    "$halogen" "$work/twins.lua" -o "$work/$1" && gcc -c -O2 -fPIC -I"$work/$1" "$work/$1/twins.c" -o "$work/$1/twins.o" &&
        printf '#include "twins.h"\n' > "$work/$1/user.c" && printf '#include "twins.h"\n' > "$work/$1/user.cpp" &&
        gcc -c -O2 -fPIC -fdata-sections -Wall -Wextra -Werror "$work/$1/user.c" -o "$work/$1/c.o" &&
        g++ -c -O2 -fPIC -Wall -Wextra -Werror "$work/$1/user.cpp" -o "$work/$1/cpp.o"
}
links_with_its_own() {
    twin_of float && twin_of double || return 1
    for user in c cpp; do
        for source in float double; do
            gcc -shared -Wl,--gc-sections -Wl,-z,defs "$work/float/$user.o" "$work/$source/twins.o" -o "$work/twins.so" 2> "$work/said"
            grep -q "undefined reference to .twins_model_[0-9a-f]*_" "$work/said"
            [ $? -eq "$([ $source = float ] && echo 1 || echo 0)" ] || return 1
        done
    done
}
if have gcc && have g++; then
    links_with_its_own
    verdict "sources of other headers" $?
fi

for spec in "$root"/specs/*/*.lua "$root"/tests/emit/specs/*.lua "$root"/tests/cuda/specs/mixed.lua; do
    grep -q 'return spec' "$spec" || continue
    one_spec "$spec"
done
# Structs of users come last: they may be called as axes of other specs are.
cat "$work/all/specs" "$work/all/structs" > "$work/all/includer.cpp"
cp "$work/all/includer.cpp" "$work/all/includer.c"
include_all() { # includer compiler...
    includer=$work/all/$1
    shift
    have "$1" || return
    # shellcheck disable=SC2086
    "$@" $strict -I"$work/all" $places "$includer"
    verdict "headers included by $*" $?
}
include_all includer.c gcc -std=c99
include_all includer.c clang -std=c99
include_all includer.cpp g++ -std=c++11
if have python3; then
    are_python "$work/all/"*.py
    verdict "Python" $?
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
