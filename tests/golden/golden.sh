#!/bin/sh
# What halogen prints, compared with what a person has read and agreed to: plans of all specs, emitted text of some.
# A difference is not wrong in itself: read it, and if it is what you meant, store it with --update.
#
# usage: golden.sh HALOGEN SOURCE_ROOT WORK_DIR      compare
#        golden.sh HALOGEN SOURCE_ROOT --update      store
set -u
halogen=$(realpath "$1") root=$2 work=$3
stored=$root/tests/golden
[ "$work" = --update ] && work=$stored
passed=0 failed=0

compare() { # file
    if diff -u "$stored/$1" "$work/$1"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
    fi
}

mkdir -p "$work"
mixed=$root/tests/cuda/specs/mixed.lua polygons=$root/tests/cuda/specs/polygons.lua
for spec in "$root"/tests/emit/specs/*.lua "$root"/specs/*/*.lua "$mixed" "$polygons"; do
    name=$(basename "$spec" .lua)
    "$halogen" "$spec" --dump plan > "$work/$name.plan" || exit 1
    compare "$name.plan"
done
"$halogen" "$root/tests/emit/specs/channel.lua" -o "$work" --emit cxx || exit 1
compare channel.hpp
for name in line channel column lattice bend; do
    "$halogen" "$root/tests/emit/specs/$name.lua" -o "$work" || exit 1
    compare "$name.h"
    compare "$name.c"
done
"$halogen" "$root/tests/emit/specs/bend.lua" -o "$work" --emit check || exit 1
compare bend_check.c # its tiles have names
for name in thin tides; do # a hook, cycles
    "$halogen" "$root/tests/emit/specs/$name.lua" -o "$work" || exit 1
    rm "$work/$name.c"
    compare "$name.h"
done
"$halogen" "$root/tests/emit/specs/column.lua" -o "$work" --emit python || exit 1
for file in column.py column_python.c; do compare "$file"; done
"$halogen" "$root/tests/emit/specs/channel.lua" -o "$work" --emit fortran || exit 1
for file in channel_module.f90 channel_fortran.c; do compare "$file"; done
"$halogen" "$mixed" -o "$work" || exit 1
for file in mixed.h mixed.c mixed.cu; do compare "$file"; done
"$halogen" "$root/tests/cuda/specs/drifters.lua" -o "$work" || exit 1
compare drifters.cu
rm "$work/drifters.h" "$work/drifters.c" # the host has little to do there
"$halogen" "$polygons" -o "$work" || exit 1
for file in polygons.h polygons.c polygons.cu; do compare "$file"; done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
