#!/bin/sh
# Emitted tables that were changed by hand: numbers that are possible where they stand, but not those of the spec.  Create
# names the table, and says how to emit it again.  Each change is a command of sed.
#
# usage: damaged.sh HALOGEN SOURCE_ROOT WORK_DIR LIBRARIES_OF_HX MPI_PACKAGE COMPILER...      CPATH names the headers of hx
set -u
halogen=$(realpath "$1") root=$2 work=$3 libraries=$4 package=$5
shift 5
passed=0 failed=0

rm -rf "$work"
mkdir -p "$work"
cd "$work" || exit 1
flags="-std=c11 -O0 $(pkg-config --cflags "$package")" || exit 77
with="-L$libraries -lhx $(pkg-config --libs "$package") -Wl,-rpath,$libraries"

cat > damaged.lua << 'END'
local plane = cartesian { axes = "xy", periodic = "xy" }
local u, v, p = fields { "u", "v", "p", on = plane, type = "double", halo = 2 }
local f = field "f" { on = plane, type = "float", halo = 1,
  directions = { { 0, 0 }, { 1, 0 }, { -1, 0 }, { 0, 1 }, { 0, -1 } } }
local wind = vector "wind" { u, v }
return spec "damaged" { exchange "winds" { u, v, width = 1 }, exchange "stream" { f }, exchange "pressure" { p } }
END
"$halogen" damaged.lua -o . || exit 1

# name, command of sed, what create says of it
damages() {
    cat << 'END'
whole||
offset of a link|s/{{0, 1, 0, 1, 0}, {1, 1, 0, 0, 0}}/{{0, 1, 0, 1, 1}, {1, 1, 0, 0, 0}}/|a number of position_table[0], or what it points to, is another
direction of a link|s/{0, 0, {-1, 1}, /{0, 0, {-1, -1}, /|a number of position_table[0], or what it points to, is another
component of a vector|s/vector_wind\[\] = {DAMAGED_U, DAMAGED_V, /vector_wind[] = {DAMAGED_V, DAMAGED_U, /|a number of field_table[0], "u", or what it points to, is another
halo|/"p"/,/sum/s/halo_lo = {2, 2}/halo_lo = {3, 2}/|a number of field_table[2], "p", or what it points to, is another
components that travel|s/picked_1\[\] = {\([0-9]\)/picked_1[] = {0/|a number of exchange_table[1], "stream", or what it points to, is another
field of an exchange|/fields_of_pressure/,/HX_END/s/DAMAGED_P/DAMAGED_V/|a number of exchange_table[2], "pressure", or what it points to, is another
width|s/{DAMAGED_U, {1, 1}, {1, 1}/{DAMAGED_U, {1, 1}, {1, 2}/|a number of exchange_table[0], "winds", or what it points to, is another
direction of an exchange|/directions_1\[\]/,/HX_END/s/{0, 1},/{1, 1},/|a number of exchange_table[0], "winds", or what it points to, is another
operation|/"pressure"/,/sum/s/\.sum/.operation = HX_SUM, .sum/|a number of exchange_table[2], "pressure", or what it points to, is another
depth of a kernel|/strips_double_2_2\[\]/,/HX_END/s/{2, /{1, /|a number of exchange_table[2], "pressure", or what it points to, is another
periodic|s/\.periodic = {1, 1}/.periodic = {1, 0}/|a number of damaged_spec, is another
size|0,/sizeof(double)/s//sizeof(float)/|field[0].size is 4, of 1 double
pointer|s/offsetof(damaged_fields, v)/offsetof(damaged_fields, u)/|field[1].pointer is 0
row of components that is missing|/picks_1\[\]/,/HX_END/{/picked_2}/d}|exchange_table[1].field[0].picks has 3 rows, and 4 are counted
component that is missing|s/picked_2\[\] = {[0-9], /picked_2[] = {/;s/HX_ROWS(picked_2)/1/|picks[1].component has 0 rows, and 1 are counted
component of a vector that is missing|s/vector_wind\[\] = {DAMAGED_U, /vector_wind[] = {/|field_table[0].vector has 1 rows, and 2 are counted
count that is too large|s/HX_ROWS(links_1)/40000/|position_table[0].link has 8 rows, and 40000 are counted
count that is too small|s/HX_ROWS(directions_1)/4/|exchange_table[0].direction has 5 rows or more, and 4 are counted
END
}

damages > damages
number=0 list=
while IFS='|' read -r name command said; do
    number=$((number + 1))
    mkdir "$number"
    sed "$command" damaged.c > "$number/damaged.c"
    if [ -n "$command" ] && cmp -s damaged.c "$number/damaged.c"; then
        echo "FAIL there is nothing to change for: $name"
        failed=$((failed + 1))
    fi
    # shellcheck disable=SC2086 # lists of words
    "$@" $flags -w -fPIC -shared -I. "$number/damaged.c" $with -o "$number/damaged.so" || exit 1
    list="$list ./$number/damaged.so"
done < damages
# shellcheck disable=SC2086
"$@" $flags "$root/tests/emit/damaged.c" $with -ldl -o damaged || exit 1
# shellcheck disable=SC2086
"$root/tests/mpirun.sh" 1 ./damaged $list > said 2>&1 || { cat said; exit 1; }

number=0
while IFS='|' read -r name command said; do
    number=$((number + 1))
    line=$(grep "^./$number/damaged.so " said | uniq)
    case $command:$line in
    :*" HX_OK: " | *" HX_ERR_ARGUMENT: "*"The tables of damaged (damaged.lua) are "*"$said"*"emit "*" again"*) passed=$((passed + 1)) ;;
    *)
        echo "FAIL $name: $line"
        failed=$((failed + 1))
        ;;
    esac
done < damages
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
