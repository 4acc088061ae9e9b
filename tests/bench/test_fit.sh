#!/bin/sh
# test_fit.sh LUA HALOGEN: test_fit.lua in a folder of its own.
set -eu
here=$(realpath "$(dirname "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LUA_PATH="$here/?.lua;$here/../../gen/lua/?.lua"
"$1" "$here/test_fit.lua" "$(realpath "$2")" "$here/specs" "$work"
