#!/bin/sh
# The program that turns modules and templates into a C table: what it makes, and what it cannot.
#
# usage: bake.sh BAKE
. "$(dirname "$0")/stand-in.sh"
bake=$halogen

printf 'b\377' >one.lua
printf 'a' >two.tmpl
mkdir folder
expect 0 "" "$bake" table.c one.lua two.tmpl
grep -q '^    {"lua/one.lua", file_0, 2},$' table.c || complain "no lua/one.lua of 2 bytes: $(cat table.c)"
grep -q '^    {"two.tmpl", file_1, 1},$' table.c || complain "no two.tmpl of 1 byte: $(cat table.c)"
grep -q '^    98,-1,$' table.c || complain "not the bytes of one.lua: $(cat table.c)"

expect 2 "usage: bake OUTPUT FILE..." "$bake" table.c
expect 1 "bake: cannot open 'missing.lua'" "$bake" other.c missing.lua
expect 1 "bake: cannot read 'folder'" "$bake" other.c folder
expect 1 "bake: cannot write 'folder'" "$bake" folder one.lua
if [ -c /dev/full ]; then
    expect 1 "bake: cannot write '/dev/full'" "$bake" /dev/full one.lua
else
    echo "not tried: a full disk, because there is no /dev/full"
fi
finish
