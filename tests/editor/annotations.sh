#!/bin/sh
# The annotations for editors: what check.lua says of them, and what the Lua language server says of a good spec, where there
# is one.
#
# usage: annotations.sh LUA ANNOTATIONS SOURCE_ROOT
set -eu
lua=$1 annotations=$2 root=$3

"$lua" "$root/tests/editor/check.lua" "$annotations" "$root"

server=$(command -v lua-language-server) || {
    echo 'there is no lua-language-server here, which has the last word'
    exit 0
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/project"
cp "$root/specs/wave/wave.lua" "$work/project"
printf '{"runtime.version": "Lua 5.4", "workspace.library": ["%s"]}\n' "$(dirname "$annotations")" >"$work/project/.luarc.json"
"$server" --check "$work/project" --checklevel=Warning --logpath="$work/log" >"$work/said" 2>&1 || true
if ! grep -q 'no problems found' "$work/said"; then
    cat "$work/said" "$work/log/check.json" 2>/dev/null || true
    echo 'FAIL the Lua language server has something against a good spec'
    exit 1
fi
