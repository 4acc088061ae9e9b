#!/bin/sh
# Looks at the links of all documents: links.sh LUA SOURCE_ROOT
set -eu
lua=$1
cd "$2"
find . -name '*.md' ! -path './build*' ! -path './.*' ! -path './out/*' | sed 's|^\./||' | sort | xargs "$lua" tests/docs/links.lua "$2"
