#!/bin/sh
# compare.sh NODE HALOGEN LUA TEMPLATES TESTS SPEC...: compare.mjs on these specs and on forty random ones.
set -eu

node=$1 halogen=$2 lua=$3 templates=$4 tests=$5
shift 5
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The modules as they are; only a package makes Node read them as modules.
mkdir "$work/model"
cp "$templates"/explain/model/*.js "$work/model"
echo '{"type": "module"}' >"$work/model/package.json"
"$lua" "$tests/random/generate.lua" 1 1 20 "$work"
"$lua" "$tests/random/generate.lua" 7 1001 20 "$work"
"$node" "$tests/explain/page/compare.mjs" "$halogen" "$work/model" 100 "$@" "$work"/r*.lua
