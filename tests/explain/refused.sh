#!/bin/sh
# Numbers that do not fit, and those that are missing: each is refused with exit code 2, in a sentence and with a way out.
#
# usage: refused.sh HALOGEN SOURCE_ROOT          compare with refused.txt
#        refused.sh HALOGEN SOURCE_ROOT --update
#
# With ERRORS_EVERY above 1 in the environment one in three is tried.
set -u
halogen=$(realpath "$1") root=$2
channel=$root/tests/emit/specs/channel.lua sphere=$root/specs/sphere/sphere.lua
stored=$root/tests/explain/refused.txt
said=$(mktemp) || exit 1
trap 'rm -f "$said"' EXIT
failed=0 number=0
[ "${3:-}" != --update ] || ERRORS_EVERY=1
every=$((${ERRORS_EVERY:-1} > 1 ? 3 : 1))

# refused SPEC OPTION...
refused() {
    number=$((number + 1))
    [ $((number % every)) -eq 0 ] || return 0
    spec=$1
    shift
    echo "explain $(basename "$spec") $*" >>"$said"
    "$halogen" explain "$spec" "$@" >>"$said" 2>&1
    code=$?
    [ "$code" = 2 ] || { echo "FAIL $*: exit code $code"; failed=1; }
}

refused "$channel"
refused "$channel" --cells 96,96,48
refused "$channel" --cells 96,96 --ranks 4
refused "$channel" --cells 96,96,x --ranks 4
refused "$channel" --cells 96,,48 --ranks 4
refused "$channel" --cells 96,96,48, --ranks 4
refused "$channel" --cells 96,96,48 --ranks 1..
refused "$channel" --cells 0,96,48 --ranks 4
refused "$channel" --cells 2000000000,96,48 --ranks 4
refused "$channel" --cells 2,2,2 --ranks 9
refused "$channel" --cells 8,8,8 --ranks 97
refused "$channel" --cells 3000,3000,3000 --ranks 1000003
refused "$channel" --cells 8,8,8 --ranks 0
refused "$channel" --cells 8,8,8 --ranks 99999999999999999999
refused "$channel" --cells 8,8,8 --ranks 4..2
refused "$channel" --cells 8,8,8 --ranks 4 --rank 4
refused "$channel" --cells 8,8,8 --ranks 1..4 --rank 1
refused "$channel" --cells 8,8,8 --ranks 4 --parts 2,1
refused "$channel" --cells 8,8,8 --ranks 4 --parts 3,0,1
refused "$channel" --cells 8,8,8 --ranks 4 --parts 9,1,1
refused "$channel" --cells 8,8,8 --ranks 4 --node 0
refused "$channel" --cells 8,8,8 --ranks 4 --links
refused "$channel" --cells 8,8,8 --ranks 512 --links --format json
refused "$channel" --cells 40,40,40 --ranks 100 --schedule one-phase --links --format json
refused "$channel" --cells 8,8,8 --ranks 1,2 --links --format json
refused "$channel" --cells 1000,1000,1000 --ranks 1 --parts 1000,1000,1
refused "$channel" --cells 50,50,50 --ranks 1 --parts 50,50,1 --format json
refused "$sphere" --cells 8,9 --ranks 6
refused "$sphere" --cells 8,8/9,9 --ranks 6
refused "$sphere" --cells 8,8/8,8/8,8/8,8/8,8/9,9 --ranks 6
refused "$sphere" --cells 200000,200000 --ranks 400000
refused "$root/tests/exchange/specs/slab.lua" --cells 4,4,4 --ranks 2
refused "$root/tests/emit/specs/column.lua" --cells 9,9,9 --ranks 2 --parts 1,1,2
refused "$channel" --cells 96,96,48 --ranks "$(seq -s , 1 65)"
[ "${3:-}" != --update ] || cp "$said" "$stored"
awk -v every="$every" '/^explain / { ++number } number % every == 0' "$stored" | diff -u - "$said" || failed=1
exit "$failed"
