#!/bin/sh
# C is laid out as clang-format does it, where there is one; and no comment is so long that a declaration is broken for it, or
# that it goes on in the next line, at the right edge: it stands on a line above.  layout.sh SOURCE_ROOT
set -u
cd "$1" || exit 1
status=0

files() {
    find gen runtime specs tests -name '*.[ch]' ! -path 'tests/golden/*'
}

# Reads names of files.
broken_by_comments() {
    xargs awk '
    FNR == 1 { inside = 0 }
    !inside && /^ +[*]*[A-Za-z_]+(\[[^]]*\])?[;,] +\/[*]/ && !/^ +(return|continue|break);/ && before ~ /[A-Za-z_*]$/ {
        print "FAIL " FILENAME ":" FNR ": a declaration broken for its comment, which goes on a line above"
    }
    !inside && /[^ ] +\/[*]/ && !/[*]\// {
        print "FAIL " FILENAME ":" FNR ": a comment behind code that goes on in the next line; put it on a line above"
    }
    { inside = inside ? !/[*]\// : /\/[*]/ && !/[*]\//; before = $0 }'
}

files | broken_by_comments | grep . && status=1

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
printf '%s\n' 'typedef struct pair {' '    const int' '        *first; /* of two */' '    int second; /* of' \
    '                   two */' '    int third; /* of two */' '} pair;' >"$scratch/pair.h"
[ "$(echo "$scratch/pair.h" | broken_by_comments | cut -d : -f 2 | tr '\n' ' ')" = '3 4 ' ] || {
    echo 'FAIL this test does not find a broken declaration and a comment that goes on'
    status=1
}

if command -v clang-format >/dev/null; then
    files | xargs clang-format --dry-run --Werror || status=1
else
    echo 'no clang-format: the layout was not looked at'
fi
exit $status
