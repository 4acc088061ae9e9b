#!/bin/sh
# What halogen prints for three specs, compared with what a person has read and agreed to: emitted text, and the plan.
# A difference is not wrong in itself: read it, and if it is what you meant, store it with --update.
#
# usage: golden.sh HALOGEN SOURCE_ROOT WORK_DIR      compare
#        golden.sh HALOGEN SOURCE_ROOT --update      store
set -u
halogen=$(realpath "$1") root=$2 work=$3
stored=$root/tests/golden
[ "$work" = --update ] && work=$stored
passed=0 failed=0

mkdir -p "$work"
for name in line channel column; do
    spec=$root/tests/emit/specs/$name.lua
    "$halogen" "$spec" -o "$work" || exit 1
    "$halogen" "$spec" --dump plan > "$work/$name.plan" || exit 1
    for file in "$name.h" "$name.c" "$name.plan"; do
        if diff -u "$stored/$file" "$work/$file"; then
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
        fi
    done
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
