#!/bin/sh
# Documents are easy to read (prose.lua says what that is): prose.sh LUA SOURCE_ROOT
set -eu
lua=$1
cd "$2"

# The history of measurements stays as it was written.
find . -name '*.md' ! -path './build*' ! -path './.*' ! -path './out/*' ! -path './docs/history/*' | sed 's|^\./||' | sort |
    xargs "$lua" tests/rules/prose.lua
