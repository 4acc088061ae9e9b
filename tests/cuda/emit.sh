#!/bin/sh
# Writes what halogen makes of a spec whose fields lie in the memory of a device, and its device code as a file of C:
#
#   emit.sh HALOGEN SPEC NAME DIRECTORY [check]
#
# DIRECTORY/NAME.h, NAME.c, NAME.cu and NAME_device.c.  Fields of specs that do not say so are put there, long doubles as
# floats.  NAME_host.h and NAME_host.c are of the same spec with all fields on the host; with check there is NAME_check.c, too.
set -eu

halogen=$1
spec=$2
name=$3
directory=$4

sed 's/{ on = grid,/{ memory = "cuda", on = grid,/; /memory = /!s/ fields {\(.*\) on = grid,/ fields {\1 memory = "cuda", on = grid,/
    s/"long double"/"float"/' "$spec" >"$directory/$name.lua"
sed "s/memory = \"cuda\", //; s/return spec \"$name\"/return spec \"${name}_host\"/" "$directory/$name.lua" \
    >"$directory/${name}_host.lua"
"$halogen" "$directory/${name}_host.lua" -o "$directory"
"$halogen" "$directory/$name.lua" -o "$directory" --emit "c${5:+,$5}"
cat >"$directory/${name}_device.c" <<END
/* Device code as C; written by emit.sh. */
#include "shim.h"

#include "$name.cu"
END
