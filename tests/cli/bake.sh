#!/bin/sh
# The program that turns modules and templates into a C table: what it makes, and what it cannot.
#
# usage: bake.sh BAKE
. "$(dirname "$0")/stand-in.sh"
bake=$halogen

mkdir -p folder lua/a/lua/b templates/c
printf 'b\377' >lua/a/lua/b/one.lua
printf 'a' >templates/c/two.tmpl
printf 'cde' >folder/three.tmpl
expect 0 "" "$bake" table.c folder/three.tmpl "$PWD/lua/a/lua/b/one.lua" templates/c/two.tmpl
grep -q '^    {"c/two.tmpl", file_0, 1},$' table.c || complain "no c/two.tmpl of 1 byte: $(cat table.c)"
grep -q '^    {"lua/b/one.lua", file_1, 2},$' table.c || complain "no lua/b/one.lua of 2 bytes: $(cat table.c)"
grep -q '^    {"three.tmpl", file_2, 3},$' table.c || complain "no three.tmpl of 3 bytes: $(cat table.c)"
grep -q '^    98,-1,$' table.c || complain "not the bytes of one.lua: $(cat table.c)"

expect 2 "usage: bake OUTPUT FILE..." "$bake" table.c
expect 1 "bake: cannot open 'missing.lua'" "$bake" other.c missing.lua
expect 1 "bake: cannot read 'folder'" "$bake" other.c folder
expect 1 "bake: cannot write 'folder'" "$bake" folder folder/three.tmpl
if [ -c /dev/full ]; then
    expect 1 "bake: cannot write '/dev/full'" "$bake" /dev/full folder/three.tmpl
else
    echo "not tried: a full disk, because there is no /dev/full"
fi
finish
