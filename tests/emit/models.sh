#!/bin/sh
# A file that was compiled with the header of one model, and meets the source of another: two specs of one name, or one
# before and after a change.  It does not link; where nothing links it, or nothing looks, create refuses it in words.
#
# usage: models.sh HALOGEN SOURCE_ROOT WORK_DIR LIBRARIES_OF_HX MPI_PACKAGE COMPILER...      CPATH names the headers of hx
set -u
halogen=$(realpath "$1") root=$2 work=$3 libraries=$4 package=$5
shift 5
passed=0 failed=0
here=$root/tests/emit/models

rm -rf "$work"
mkdir -p "$work"
cd "$work" || exit 1
headers=$(pkg-config --cflags "$package") || exit 77
with="-L$libraries -lhx $(pkg-config --libs "$package") -Wl,-rpath,$libraries"

compile() { # ARGUMENT...; what the linker says is in $work/said
    # shellcheck disable=SC2086 # lists of words
    LC_ALL=C $compiler -std=c11 -O1 -fPIC -Wall -Wextra $headers "$@" 2> said
}
compiler="$*"

verdict() { # what, status
    if [ "$2" -eq 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $1"
        cat said
    fi
}

run() { # PROGRAM [ARGUMENT...]; what it says is in $work/said
    "$root/tests/mpirun.sh" 1 "$@" > said 2>&1
}

# The sentence of create, with both models and the way out.
refused() { # model of the header, model of the source
    grep -q "^HX_ERR_MISMATCH: .*The file that calls twins_create was compiled with a twins.h of model $1, and the twins.c \
that it meets is of model $2.  Generate both from one spec, then compile and link all files again that include twins.h" said
}

for type in float double; do
    mkdir $type
    printf '%s\n' 'local grid = cartesian { axes = "x" }' \
        "return spec \"twins\" { exchange \"all\" { field \"u\" { on = grid, type = \"$type\", halo = 1 } } }" > twins.lua
    "$halogen" twins.lua -o $type || exit 1
    compile -c $type/twins.c -o $type/twins.o && compile -I$type -c "$here/user.c" -o $type/user.o &&
        compile -I$type -c "$here/loader.c" -o $type/loader.o &&
        compile -I$type -DCREATES_AS=creates_$type -c "$here/user.c" -o $type/creates.o || { cat said; exit 1; }
    # shellcheck disable=SC2086
    compile -shared -Wl,-soname,libtwins.so $type/twins.o $with -o $type/libtwins.so || { cat said; exit 1; }
    ar rc $type/libtwins.a $type/twins.o
done
float=$(sed -n 's/^#define TWINS_ASKS_FOR_MODEL "\(.*\)"/\1/p' float/twins.h)
double=$(sed -n 's/^#define TWINS_ASKS_FOR_MODEL "\(.*\)"/\1/p' double/twins.h)

# shellcheck disable=SC2086
static_archive() {
    compile float/user.o float/libtwins.a $with -o user && run ./user && ! compile float/user.o double/libtwins.a $with -o user &&
        grep -q "undefined reference to .twins_model_$float'" said
}
static_archive
verdict 'a static archive of another model does not link' $?

# A file that knows nothing of models, as halogen emitted it before: what it calls is gone.
older_header() {
    printf '%s\n' 'int twins_create(void);' 'int main(void) { return twins_create(); }' > older.c
    # shellcheck disable=SC2086
    ! compile older.c double/libtwins.a $with -o older && grep -q 'undefined reference to .twins_create' said
}
older_header
verdict 'an object file that gives no model does not link' $?

# The library is replaced, the program is not built again.  Data is bound when the program starts, also where calls are not.
replaced_library() {
    for binding in now lazy; do
        rm -rf now && mkdir now && cp float/libtwins.so now
        # shellcheck disable=SC2086
        compile float/user.o -Lnow -ltwins $with -Wl,-z,$binding -Wl,-rpath,"$work/now" -o user && run ./user || return 1
        cp double/libtwins.so now
        ! run ./user && grep -q "undefined symbol: twins_model_$float" said || return 1
    done
}
replaced_library
verdict 'a shared library of another model is not loaded' $?

# Where the linker does not look.
# shellcheck disable=SC2086
nobody_looks() {
    compile float/user.o double/libtwins.a $with -Wl,--unresolved-symbols=ignore-all -o user || return 1
    run ./user
    [ $? -eq 3 ] && refused "$float" "$double" || return 1
    objcopy --weaken-symbol="twins_model_$float" float/user.o weak.o && compile weak.o double/libtwins.a $with -o user || return 1
    run ./user
    [ $? -eq 3 ] && refused "$float" "$double" || return 1
    objcopy --weaken-symbol="twins_model_$double" double/user.o weak.o && compile weak.o double/libtwins.a $with -o user && run ./user
}
nobody_looks
verdict 'create refuses another model where symbols are weak, or not looked for' $?

# shellcheck disable=SC2086
loaded_later() {
    compile float/loader.o $with -ldl -o loader && run ./loader "$work/float/libtwins.so" || return 1
    run ./loader "$work/double/libtwins.so"
    [ $? -eq 3 ] && refused "$float" "$double" || return 1
    run ./loader "$work/double/libtwins.so" "$double" || return 1
    run ./loader "$work/double/libtwins.so" "${double}1" # longer than any
    [ $? -eq 3 ] || return 1
    run ./loader "$work/double/libtwins.so" none
    [ $? -eq 3 ] && grep -q 'was given no model' said
}
loaded_later
verdict 'create refuses another model in a library that is loaded when the program runs' $?

# Each library has its own twins.c, and the loader gives both of them that of the first.
# shellcheck disable=SC2086
two_libraries() {
    for type in float double; do
        compile -shared $type/twins.o $type/creates.o $with -o libcreates_$type.so || return 1
    done
    compile "$here/two.c" -L. -lcreates_float -lcreates_double $with -Wl,-rpath,"$work" -o two || return 1
    run ./two
    [ $? -eq 3 ] && refused "$double" "$float" && grep -q 'where two libraries have a spec of this name' said
}
two_libraries
verdict 'create refuses the source of another library that has a spec of the same name' $?

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
