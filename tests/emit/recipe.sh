#!/bin/sh
# Whoever copies what a header says under "How to use it" gets a program that works: one block a rank, with a hook; a tile
# a rank; a list of points; a cycle.  Those of fields on devices are compiled only.
#
# usage: recipe.sh HALOGEN SOURCE_ROOT WORK_DIR LIBRARIES_OF_HX MPI_PACKAGE COMPILER...      CPATH names the headers of hx
set -u
halogen=$(realpath "$1") root=$2 work=$3 libraries=$4 package=$5
shift 5
compiler="$*"
failed=0

rm -rf "$work"
mkdir -p "$work"
cd "$work" || exit 1
headers=$(pkg-config --cflags "$package") || exit 77
with="-L$libraries -lhx $(pkg-config --libs "$package") -Wl,-rpath,$libraries"

printf '%s\n' 'local grid = cartesian { axes = "xy", periodic = "x" }' \
    'local h = field "h" { on = grid, type = "double", halo = 1 }' \
    'return spec "pond" { exchange "all" { h, boundary = "hook" } }' > pond.lua

# The lines as C.  Behind three spaces begins what is said of a line; a line that begins so goes on with it.
lines_as_c() { # header
    sed -n '/^ \* How to use it/,/^ \*\//s/^ \*     //p' "$1" | awk '
    function checked(statement) { return statement ~ /^[a-z_]+\(/ && statement !~ /_free\(|^loop_over/ ? "ok(" statement ")" : statement }
    /^        / { next }
    /^in each time step:$/ { print "for (int step = 0; step < steps; ++step) {"; next }
    /_destroy/ { print "}" }
    /or your own: .* of cudaMalloc/ { next }
    sub(/^ *or your own: /, "") { print "if (ranks < 0) { " $0 " }"; next }
    {
        said = $0
        sub(/^ +/, "")
        sub(/;   .*/, ";")
        count = split(substr($0, 1, length($0) - 1), statement, "; ")
        for (i = 1; i <= count; ++i) {
            if (sub(/^loop over /, "loop_over(", statement[i])) statement[i] = statement[i] ")"
            print checked(statement[i]) ";"
        }
    }
    match(said, /each [a-z]+_partition\([^)]*\) with ranks\[\] set/) {
        said = substr(said, RSTART + length("each "), RLENGTH - length("each  with ranks[] set"))
        print "for (size_t i = 0; i < sizeof tile / sizeof tile[0]; ++i) { tile[i] = " said ";"
        print "for (int a = 0; a < HX_MAX_AXES; ++a) { tile[i].ranks[a] = 1; } }"
    }'
}

compile() { # name hooks ARGUMENT...
    name=$1 hooks=$2
    shift 2
    lines_as_c "$name.h" > recipe.inc
    # shellcheck disable=SC2086 # lists of words
    $compiler -std=c11 -O0 -Wall -Wextra -Werror -DHEADER="\"$name.h\"" -DHOOKS="$hooks" -I. $headers "$root/tests/emit/recipe.c" "$@"
}

program() { # spec name hooks ranks
    # shellcheck disable=SC2086
    "$halogen" "$1" -o . && compile "$2" "$3" "$2.c" $with -o "$2" && "$root/tests/mpirun.sh" "$4" "$work/$2" && return
    failed=$((failed + 1))
    echo "FAIL $2"
    cat recipe.inc
}

text() { # spec name
    "$halogen" "$1" -o . && compile "$2" 0 -fsyntax-only && return
    failed=$((failed + 1))
    echo "FAIL $2"
    cat recipe.inc
}

program pond.lua pond 1 2
program "$root/tests/emit/specs/harbor.lua" harbor 0 3
program "$root/tests/emit/specs/mesh.lua" mesh 0 2
program "$root/tests/emit/specs/tides.lua" tides 0 2
for call in 'ok(tides_turn(' 'loop_over(tides_turn_drive_points(' 'loop_over(tides_turn_rise_points('; do
    grep -qF "$call" recipe.inc || { failed=$((failed + 1)) && echo "FAIL the cycle has no $call"; }
done
text "$root/tests/fortran/gpu.lua" gpu
text "$root/tests/cuda/specs/polygons.lua" polygons
grep -q 'set_boundary' recipe.inc && failed=$((failed + 1)) && echo "FAIL polygons have no hook"
[ "$failed" -eq 0 ]
