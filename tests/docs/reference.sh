#!/bin/sh
# The tables of keys in docs/spec-language.md are those that halogen reads specs by, as gen/integration/lua/reference.lua prints
# them.
#
# usage: reference.sh AWK TABLES SOURCE_ROOT             compare
#        reference.sh AWK TABLES SOURCE_ROOT --update    write them into the page
set -eu
awk=$1 tables=$2 root=$3
page=$root/docs/spec-language.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if ! "$awk" -f "$root/gen/integration/reference.awk" "$tables" "$page" >"$work/page"; then
    echo "FAIL the places of tables in $page are not those of the verbs"
    exit 1
fi
if [ "${4:-}" = --update ]; then
    cmp -s "$work/page" "$page" || cp "$work/page" "$page"
elif ! diff "$page" "$work/page"; then
    echo "FAIL $page has other tables than gen/lua (>); write them by: ninja -C build reference-update"
    exit 1
else
    echo "$(grep -c '^<!-- keys of' "$page") tables are those of gen/lua"
fi
