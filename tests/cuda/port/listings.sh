#!/bin/sh
# Takes the listings of a page that have names, and emits code of its spec: listings.sh HALOGEN PAGE DIRECTORY.  Of NAME.cu there is
# NAME.cc, too, for compilers that know no launches; the emitted device code is there as a file of C.
set -eu
halogen=$1 page=$2 directory=$3
awk -v directory="$directory" '
    /^```$/ { name = "" }
    name { print > (directory "/" name) }
    /^```[a-z]+ file=/ { name = $2; sub(/^file=/, "", name) }' "$page"
for listing in "$directory"/*.cu; do
    sed 's/\([a-z]*\)<<<\(.*\)>>>(\(.*\));/standin::launch([=] { \1(\3); }, \2);/' "$listing" >"${listing%.cu}.cc"
done
"$halogen" "$directory/heat.lua" -o "$directory"
printf '#include "shim.h"\n\n#include "heat.cu"\n' >"$directory/heat_device.c"
