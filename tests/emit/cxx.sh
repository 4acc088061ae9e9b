#!/bin/sh
# The headers of C++ of all specs compile without a warning with clang++, all members of their classes included.
# Some that have together all that the template can make do so with g++, too, as C++17, 20 and 23; with libc++ 19, where it is
# installed, the views of C++23, too, which run.  Any word may be the name of a field and of an exchange, but for those that
# halogen refuses.  With PROPERTY_TRIES below 1 in the environment every third word is tried.
#
# usage: cxx.sh HALOGEN SOURCE_ROOT WORK_DIR      CPATH and its like name the headers of hx and of MPI
set -u
halogen=$(realpath "$1") root=$(realpath "$2") work=$3
strict="-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Werror"
passed=0 failed=0 skipped=0
rm -rf "$work"
mkdir -p "$work/code" "$work/words" && work=$(realpath "$work")

verdict() { # what, status
    if [ "$2" -eq 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $1"
    fi
}

one="clang++ -std=c++2b"
# Each compiler with two standards, each standard by two compilers but C++20.  The last one has std::mdspan.
all="g++ -std=c++17,g++ -std=c++20,clang++ -std=c++17,clang++ -std=c++2b,clang++-19 -std=c++23 -stdlib=libc++"

compile() { # file compilers directory...
    file=$1 compilers=$2
    shift 2
    echo "$compilers" | tr , '\n' >"$work/compilers"
    while read -r with; do
        if ! command -v "${with%% *}" >/dev/null; then
            skipped=$((skipped + 1))
            continue
        fi
        # shellcheck disable=SC2086
        $with $strict -fsyntax-only "$file" "$@" </dev/null # templates become functions, and those no code
        verdict "$(basename "$file"): $with" $?
    done <"$work/compilers"
}

# One program of all specs, each header twice.  Explicit instantiation compiles every member.
beside=
for spec in "$root"/specs/*/*.lua "$root"/tests/emit/specs/*.lua "$root"/tests/cuda/specs/*.lua "$root"/tests/exchange/specs/*.lua \
    "$root"/tests/cxx/specs/*.lua; do
    grep -q 'return spec' "$spec" || continue
    name=$("$halogen" "$spec" --list-outputs 2>/dev/null | sed -n 's/\.h$//p')
    [ -n "$name" ] && [ ! -e "$work/code/$name.hpp" ] || continue
    "$halogen" "$spec" -o "$work/code" --emit c,cxx 2>"$work/said" || cat "$work/said"
    verdict "$spec: halogen" $?
    # Types of users may be the names of axes of other specs.
    grep -q 'header = ' "$spec" && into=structs || into=specs
    printf '#include "%s.hpp"\n#include "%s.hpp"\n' "$name" "$name" >>"$work/$into.cc"
    echo "template class halogen::$name::basic_handle<hx::throwing>;" >>"$work/$into.classes"
    case $beside in *"-I$(dirname "$spec") "*) ;; *) beside="$beside-I$(dirname "$spec") " ;; esac
done
awk -f "$root/tests/emit/forms.awk" "$work/code/"*.hpp | sed 's|.*/||; s|\.hpp$||' >"$work/forms"
while read -r name; do
    printf '#include "%s.hpp"\n#include "%s.hpp"\n' "$name" "$name"
    echo "template class halogen::$name::basic_handle<hx::throwing>;"
done <"$work/forms" >"$work/forms.cc"
for words in set_boundary_on index_list hx_stream _corners_ per_block; do # had there been none, nobody would have noticed
    sed "s|.*|$work/code/&.hpp|" "$work/forms" | xargs grep -q "$words"
    verdict "headers of all forms have no $words" $?
done
# shellcheck disable=SC2086
compile "$work/forms.cc" "$all" -I"$work/code" $beside
for file in specs structs; do
    cat "$work/$file.classes" >>"$work/$file.cc"
    # shellcheck disable=SC2086
    compile "$work/$file.cc" "$one" -I"$work/code" $beside
done

# Views of the standard library, where it has them: not only compiled.
with=${all##*,}
if command -v "${with%% *}" >/dev/null; then
    # shellcheck disable=SC2086
    $with $strict -DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX "$root/tests/emit/mdspan.cc" -o "$work/mdspan" && "$work/mdspan"
    verdict "mdspan.cc: $with" $?
else
    skipped=$((skipped + 1))
fi

# Every word of the two headers as a name, alone and before the endings of exchanges; halogen says which it cannot have.
cat "$root/runtime/include/hx/hx.hpp" "$work/code/channel.hpp" | grep -oE '[A-Za-z][A-Za-z0-9_]*[A-Za-z0-9]' | grep -v __ |
    sed -E 's/_(start|finish|test)$//' | sort -fu |
    awk 'BEGIN { tries = ENVIRON["PROPERTY_TRIES"]; every = tries != "" && tries < 1 ? 3 : 1 } NR % every == 0' >"$work/names"
spec_of() { # verb words
    printf 'local grid = cartesian { axes = "xyz" }\nlocal u = field "a_field" { on = grid, type = "double", halo = 1 }\n'
    printf 'local list = { exchange "an_exchange" { u } }\n'
    for word in $2; do
        if [ "$1" = field ]; then
            echo "table.insert(list, exchange \"carries_$word\" { field \"$word\" { on = grid, type = \"double\", halo = 1 } })"
        else
            echo "table.insert(list, exchange \"$word\" { u })"
        fi
    done
    echo "return spec \"words_$1\" { table.unpack(list) }"
}
for kind in field exchange; do
    cp "$work/names" "$work/fine"
    for try in 1 2 3 4 5 6 7 8 9; do # it shows so many mistakes at a time
        spec_of $kind "$(cat "$work/fine")" >"$work/words/words_$kind.lua"
        "$halogen" "$work/words/words_$kind.lua" -o "$work/words" --emit c,cxx --diag json 2>"$work/refused" && break
        grep -o '"line":[0-9]*' "$work/refused" | sed 's/"line"://' | sort -nu >"$work/lines"
        awk 'NR == FNR { out[$1 - 3] = 1; next } !(FNR in out)' "$work/lines" "$work/fine" >"$work/rest"
        mv "$work/rest" "$work/fine"
    done
    [ "$try" -lt 9 ] && [ "$(wc -l <"$work/fine")" -gt 100 ]
    verdict "names of a $kind" $?
    printf '#include "words_%s.hpp"\ntemplate class halogen::words_%s::basic_handle<hx::throwing>;\n' $kind $kind >"$work/words_$kind.cc"
    compile "$work/words_$kind.cc" "$one" -I"$work/words"
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
