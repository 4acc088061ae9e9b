#!/bin/sh
# Device code with a bug, as a file of C: broken.sh FILE.cu OUTPUT BUG, for sed
set -eu

sed "$3" "$1" >"$2.cu"
if cmp -s "$1" "$2.cu"; then
    echo "$3 changes nothing" >&2
    exit 1
fi
printf '/* Device code with a bug; written by broken.sh. */\n#include "shim.h"\n\n#include "%s.cu"\n' "$(basename "$2")" >"$2"
