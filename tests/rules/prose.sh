#!/bin/sh
# Documents and the comments of include/hx are easy to read (prose.lua says what that is), and documents that lie in folders
# short: prose.sh LUA SOURCE_ROOT
set -eu
lua=$1
cd "$2"

find . -name README.md ! -path './build*' ! -path './.*' | while read -r file; do
    most=40
    [ "$file" != ./README.md ] || most=150
    [ "$(wc -l <"$file")" -le "$most" ] || echo "FAIL $file has more than $most lines"
done | grep . && exit 1

find . -name '*.md' ! -path './build*' ! -path './.*' ! -path './out/*' | sed 's|^\./||' | sort |
    xargs "$lua" tests/rules/prose.lua
"$lua" tests/rules/prose.lua runtime/include/hx/*.h*

# No file is let off: a sentence of 46 words is found in the history, too.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch/docs/history"
{ seq 45 && echo end.; } >"$scratch/docs/history/long.md"
"$lua" tests/rules/prose.lua "$scratch/docs/history/long.md" >"$scratch/found" && echo "FAIL a long sentence passes in docs/history" && exit 1
grep -q "a sentence of 46 words" "$scratch/found"

# So is one in a comment of a header, and nothing that lies between comments.
{ echo '/* long' && seq 44 && echo '46. */ int' && seq 50 && echo '/* short. */'; } >"$scratch/long.h"
"$lua" tests/rules/prose.lua "$scratch/long.h" >"$scratch/found" && echo "FAIL a long sentence passes in a header" && exit 1
[ "$(cut -d : -f 2- "$scratch/found" | head -1)" = "1: a sentence of 46 words; at most 45" ]
