#!/bin/sh
# Words that the glossary calls "Not used" are used in no document, public header or template: words.sh SOURCE_ROOT
set -eu
cd "$1"
sed -n 's/^Not used: \(.*\)\.$/\1/p' docs/glossary.md | tr ',' '\n' | sed 's/^ *//' >"${TMPDIR:-/tmp}/words.$$"
trap 'rm -f "${TMPDIR:-/tmp}/words.$$"' EXIT
[ -s "${TMPDIR:-/tmp}/words.$$" ] || { echo 'FAIL docs/glossary.md has no line "Not used: a, b."'; exit 1; }

# A file of templates has comments that users read.
if {
    find . -name '*.md' ! -path './build*' ! -path './.*' ! -path './out/*' ! -path './docs/history/*' ! -path ./docs/glossary.md
    find runtime/include templates gen/lua/base/codes.lua -type f
} | sort | xargs grep -n -i -w -F -f "${TMPDIR:-/tmp}/words.$$"; then
    echo 'FAIL docs/glossary.md has other words for these'
    exit 1
fi
echo "$(wc -l <"${TMPDIR:-/tmp}/words.$$") words are not used"
