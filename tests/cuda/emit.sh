#!/bin/sh
# Writes what halogen makes of a spec whose fields lie in the memory of a device, and its device code as a file of C:
#
#   emit.sh HALOGEN OVERRIDE SPEC NAME DIRECTORY
#
# DIRECTORY/NAME.h, NAME.c, NAME.cu and NAME_device.c.  Fields of specs that do not say so are put there, long doubles as
# floats.
set -eu

halogen=$1
override=$2
spec=$3
name=$4
directory=$5

sed 's/{ on = grid,/{ memory = "cuda", on = grid,/; s/"long double"/"float"/' "$spec" >"$directory/$name.lua"
"$halogen" "$directory/$name.lua" -o "$directory" --templates "$override"
cat >"$directory/${name}_device.c" <<END
/* Device code as C; written by emit.sh. */
#include "shim.h"

#include "$name.cu"
END
