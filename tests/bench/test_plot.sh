#!/bin/sh
# plot_scale.lua draws each row of a table of `./dev bench scale` once for memory and once for time, where it belongs, and refuses what is
# no such table: tests/bench/test_plot.sh LUA
set -u
lua=$1
here=$(realpath "$(dirname "$0")")
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0

check() { # WHAT TEXT PATTERN COUNT
    count=$(grep -c -- "$3" "$2")
    [ "$count" = "$4" ] || { echo "FAIL $1: $count lines with '$3', not $4"; failed=1; }
}

cat >"$work/table" <<'END'
| grid | ranks | partition, us | create, us | describe, us | handle, KiB | at most, KiB | collectives |
|---|---|---|---|---|---|---|---|
| box, 1 field | 1000 | 24.1 | 100 | 47 | 10.0 | 114.0 | 6 |
| box, 1 field | 1000000 | 24.1 | 1000 | 47 | 100.0 | 114.0 | 6 |
| 8 blocks, table | 1000 | 24.1 | 1000 | 47 | 100.0 | 114.0 | 6 |
| fields 1 | 97336 | 24.1 | 10 | 47 | 10.0 | 114.0 | 6 |
| fields 2 | 97336 | 24.1 | 100 | 47 | 1000.0 | 114.0 | 6 |
END
"$lua" "$here/plot_scale.lua" <"$work/table" >"$work/picture" || { echo 'FAIL it draws nothing'; failed=1; }
check 'a point for each row and figure' "$work/picture" '<circle' 10
check 'a curve for each grid and figure' "$work/picture" '<polyline' 6
check 'names' "$work/picture" '>8 blocks, table</text>' 1
check 'numbers are no grids' "$work/picture" '>fields 1</text>' 0
# Above left: from 10 to 100 KiB and from 1000 to 1000000 ranks, so the curve goes from corner to corner.
check 'from corner to corner' "$work/picture" '<polyline points="62.0,226.0 312.0,56.0"' 1
check 'one end' "$work/picture" '^</svg>$' 1
if echo 'no table' | "$lua" "$here/plot_scale.lua" >"$work/none" 2>"$work/said"; then
    echo 'FAIL it draws what is no table'
    failed=1
fi
check 'in words' "$work/said" 'not what ./dev bench scale prints' 1
exit "$failed"
