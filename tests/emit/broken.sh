#!/bin/sh
# Emitted code with a bug: broken.sh FILE.c OUTPUT BUG, for sed
set -eu

sed "$3" "$1" >"$2"
if cmp -s "$1" "$2"; then
    echo "$3 changes nothing" >&2
    exit 1
fi
