#!/bin/sh
# Words that the glossary calls "Not used" are used in no document, public header or template, and those that it calls "Not used,
# in code either" nowhere in runtime/ and gen/, be it in the middle of a name: words.sh SOURCE_ROOT
set -eu
cd "$1"
failed=0

# listed HEAD: the words behind it in the glossary, with "|" between them.
listed() {
    words=$(sed -n "s/^$1: \(.*\)\.\$/\1/p" docs/glossary.md | sed 's/, */|/g')
    [ -n "$words" ] || { echo "FAIL docs/glossary.md has no line \"$1: a, b.\"" >&2; exit 1; }
    echo "$words"
}

# unused WORDS: none of the files named on standard input has one of them.  A name ends a word as a space does: find_wish().
unused() {
    if xargs grep -n -i -E "(^|[^a-z])($1)(e?s)?([^a-z]|\$)" /dev/null; then
        echo 'FAIL docs/glossary.md has other words for these'
        failed=1
    fi
}

plain=$(listed 'Not used')
never=$(listed 'Not used, in code either')

# A file of templates has comments that users read.
{
    find . -name '*.md' ! -path './build*' ! -path './.*' ! -path './out/*' ! -path './docs/history/*' ! -path ./docs/glossary.md
    find runtime/include templates gen/lua/base/codes_*.lua -type f
} | sort >"${TMPDIR:-/tmp}/words.$$"
trap 'rm -f "${TMPDIR:-/tmp}/words.$$"' EXIT
unused "$plain|$never" <"${TMPDIR:-/tmp}/words.$$"
unused "$never" <<EOF
$(find runtime gen -name '*.[ch]' -o -name '*.lua' | sort)
EOF
[ "$failed" = 0 ] || exit 1
echo "$plain|$never are not used"
