#!/bin/sh
# Device code is a reader's text: laid out as clang-format lays out our own, and C without a warning by clang, too; gcc
# compiles all of it for the other tests.
#
# usage: text.sh DIRECTORY_OF_DEVICE_CODE SOURCE_ROOT WORK_DIRECTORY SPEC...
set -u

emitted=$1
root=$2
work=$3
shift 3
failed=0 checked=0
rm -rf "$work"
mkdir -p "$work"
for tool in clang clang-format; do
    command -v "$tool" >/dev/null || {
        echo "there is no $tool"
        exit 77
    }
done
sed 's/^ColumnLimit:.*/ColumnLimit: 0/' "$root/.clang-format" >"$work/.clang-format"
for spec in "$@"; do
    cp "$emitted/$spec.cu" "$work/$spec.c"
    (cd "$work" && clang-format --dry-run -Werror "$spec.c") || failed=$((failed + 1))
    clang -std=c11 -O1 -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Werror -fsyntax-only \
        -include "$root/tests/cuda/shim.h" -I"$root/runtime/include" "$work/$spec.c" || failed=$((failed + 1))
    checked=$((checked + 1))
done
echo "$checked texts, $failed failed"
[ "$failed" -eq 0 ]
