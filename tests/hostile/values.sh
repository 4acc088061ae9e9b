#!/bin/sh
# Values that are no numbers, too large, negative, or something else: each is refused where it stands, for every key that
# takes a number, and every key that takes something else.
. "$(dirname "$0")/guard.sh"

# What no key of a number takes, as Lua writes it, and what is said of it.
cat >numbers <<'END'
0/0	NaN
-(0/0)	NaN
1/0	the number inf
-1/0	the number -inf
math.huge	the number inf
1e308	the number 1e+308
2^63	the number 9.2233720368548e+18
2^53	the number 9.007199254741e+15
2.0	the number 2.0
1.5	the number 1.5
-0.0	the number -0.0
5e-324	the number 4.9406564584125e-324
"2"	the string "2"
"0x10"	the string "0x10"
"1e2"	the string "1e2"
" 2 "	the string " 2 "
true	true
error	a function
p	a field
END

# Integers, which go through as such and are out of range.
for value in math.mininteger math.maxinteger -2 '-2147483648' '1 << 31' '1 << 32' '1 << 62' 9223372036854775807 0x7fffffffffffffff \
    -9223372036854775807; do
    printf '%s\t\n' "$value"
done >integers

first='local grid = cartesian { axes = "xy" } local p = field "p" { on = grid, type = "double", halo = 1 } local list = {}'
last='return spec "test" { exchange "e" { p }, table.unpack(list) }'
given='on = grid, type = "double", halo = 1'

# each NAME LINE [LAST]: numbers of all kinds for the key that LINE ends with.
each() {
    each_line "$1" numbers "$2" "${3:-$last}"
    each_line "$1" integers "$2" "${3:-$last}"
}
last='return spec "test" { exchange "e" { p, table.unpack(list) } }'
field='table.insert(list, field("f" .. #list) { on = grid, type = "double",'
each halo "$field halo = @ })"
each halo_of_axis "$field halo = { x = @ } })"
each halo_of_side "$field halo = { x = { lo = @ } } })"
each padding "$field halo = 1, padding = { x = @ } })"
each components "$field halo = 1, components = @ })"
each components_outermost "$field halo = 1, components = { @, 'outermost' } })"
each directions "$field halo = 1, directions = { { 0, @ } } })"
each cells 'cartesian { axes = "xy", cells = { x = @ } }'
each size 'field("f") { type = struct { name = "s", header = "s.h", align = 8, size = @ }, on = grid, halo = 1 }'
each align 'field("f") { type = struct { name = "s", header = "s.h", size = 8, align = @ }, on = grid, halo = 1 }'
last='return spec "test" (list)'
exchange='table.insert(list, exchange("e" .. #list) { p,'
each width "$exchange width = @ })"
each width_of_side "$exchange width = { y = { hi = @ } } })"
each stencil "$exchange stencil = { { @, 0 } } })"
finish
