#!/bin/sh
# tests/exchange/links.sh RANKS PROGRAM HALOGEN SPEC LUA [OPTION...]: links.lua on what the generator and the runtime say.
set -eu

ranks=$1 program=$2 halogen=$3 spec=$4 lua=$5
shift 5
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$halogen" "$spec" --dump links "$@" >"$work/links"
status=0
"$here/../mpirun.sh" "$ranks" "$program" >"$work/report" || status=$?
if [ "$status" != 0 ]; then
    tail -n 5 "$work/report"
    exit "$status"
fi
"$lua" "$here/links.lua" "$here/../lua/cut.lua" "$work/links" "$work/report"
