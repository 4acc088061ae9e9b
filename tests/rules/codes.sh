#!/bin/sh
# Codes of diagnostics: those that the sources have are those of the index, and a test gets each.  Limits that
# the language and libhx have in common.
#
# usage: codes.sh SOURCE_ROOT
set -u
cd "$1" || exit 2
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0

codes() { # files...
    grep -ohE 'HG[0-9]{4}' "$@" | sort -u
}

# same WHAT FILE FILE: complains of lines that only one of two sorted files has.
same() {
    if ! diff "$2" "$3"; then
        echo "FAIL $1"
        failed=1
    fi
}

# Our file names have no white space.
# shellcheck disable=SC2046
codes $(find gen -name '*.c' -o -name '*.lua' ! -name 'codes*.lua') >"$work/sources"
sed -n 's/.*{ code = "\(HG[0-9]*\)".*/\1/p' gen/lua/base/codes_*.lua | sort >"$work/index"
same "codes of the sources (<) and of gen/lua/base/codes_….lua (>)" "$work/sources" "$work/index"

# Those of the language have a bad spec each, which tests/errors/run.sh looks after.
{
    codes tests/cli/*.sh | grep '^HG0'
    codes tests/errors/*.txt | grep '^HG1'
    codes tests/lua/*.lua | grep '^HG2'
} | sort -u >"$work/tests"
same "codes of the index (<) and of tests (>)" "$work/index" "$work/tests"

# The most cells along an axis are the same number for the language, its manual and libhx.
most=$(sed -n 's/^enum { HX_MAX_CELLS = \([0-9]*\) };$/\1/p' runtime/include/hx/hx.h)
for file in gen/lua/grids/grid_axes.lua gen/lua/base/codes_language.lua docs/spec-language.md; do
    if [ -z "$most" ] || ! grep -q "[^0-9]${most}[^0-9]" "$file"; then
        echo "FAIL $file does not have HX_MAX_CELLS of hx.h, ${most:-?}"
        failed=1
    fi
done
[ "$failed" -eq 0 ] && wc -l <"$work/index"
exit "$failed"
