#!/bin/sh
# Documents are easy to read (prose.lua says what that is): prose.sh LUA SOURCE_ROOT
set -eu
lua=$1
cd "$2"

# What is still to be rewritten.
waived='
tests/cluster/README.md
tests/cuda/README.md
tests/exchange/README.md
tests/models/README.md
tests/random/README.md
tests/standin/README.md
'

# The history of measurements stays as it was written.
find . -name '*.md' ! -path './build*' ! -path './.*' ! -path './out/*' ! -path './docs/history/*' | sed 's|^\./||' | sort |
    while read -r file; do
        case $waived in
        *"
$file
"*) ;;
        *) printf '%s\n' "$file" ;;
        esac
    done | xargs "$lua" tests/rules/prose.lua
