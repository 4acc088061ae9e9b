#!/bin/sh
# The links that `halogen explain` tells are those of the generator's tile links, cut by brute force.
#
# usage: cut.sh HALOGEN LUA PYTHON SOURCE_ROOT SPEC...
#
# Besides, of random specs; RANDOM_SEED=N takes others.  Each is cut for 4 ranks and for 7; with PROPERTY_TRIES below 1 in the
# environment, for one of them in turn.
set -u
halogen=$1 lua=$2 python=$3 root=$4
shift 4
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0 failed=0 turn=0
sampled=$(awk 'BEGIN { print ENVIRON["PROPERTY_TRIES"] != "" && ENVIRON["PROPERTY_TRIES"] < 1 }')

# compare SPEC CELLS RANKS
compare() {
    if ! "$halogen" explain "$1" --cells "$2" --ranks "$3" --schedule one-phase --links --format json >"$work/told" 2>"$work/why"; then
        # Blocks that are too thin for the grid: libhx refuses them, too.
        if ! grep -q 'reaches across tile\|cannot share a grid' "$work/why"; then
            echo "FAIL $1 $2 $3: $(cat "$work/why")"
            failed=$((failed + 1))
        fi
        return
    fi
    "$python" "$root/tests/explain/links.py" <"$work/told" >"$work/report" || exit 1
    # An axis that is neither cut nor periodic feeds nothing.
    grep -q '^exchange' "$work/report" || return
    if "$lua" "$root/tests/exchange/links.lua" "$root/tests/lua/cut.lua" "$work/links" "$work/report" >"$work/said"; then
        passed=$((passed + 1))
    else
        echo "FAIL $1 $2 $3"
        cat "$work/said"
        failed=$((failed + 1))
    fi
}

"$lua" "$root/tests/random/generate.lua" "${RANDOM_SEED:-1}" 1 20 "$work" || exit 1

for spec in "$@" "$work"/r*.lua; do
    # Warnings are as they should be: random specs have fields that no exchange carries.
    "$halogen" "$spec" --dump links >"$work/links" 2>"$work/why" || { cat "$work/why"; exit 1; }
    # Shared points have another oracle, lists no boxes, and some grids nothing beyond their sides.
    if grep -q '^shared' "$work/links" || ! grep -q '^link ' "$work/links"; then
        continue
    fi
    axes=$(($(grep '^axes' "$work/links" | wc -w) - 1))
    fixed=$(sed -n 's/^cells //p' "$work/links")
    # What takes long point by point is left out.
    cells=$(echo "$fixed" | awk -v n=$((axes > 3 ? 3 : axes > 2 ? 5 : 12)) \
        '{ all = 1
           for (i = 1; i <= NF; ++i) { text = text (i > 1 ? "," : "") ($i > 0 ? $i : n); all *= $i > 0 ? $i : n }
           print (all > 300 ? "" : text) }')
    [ -n "$cells" ] || continue
    turn=$((1 - turn))
    case $sampled$turn in
    10) numbers=4 ;;
    11) numbers=7 ;;
    *) numbers='4 7' ;;
    esac
    for ranks in $numbers; do
        compare "$spec" "$cells" "$ranks"
    done
done
echo "$passed configurations as cut by brute force, $failed not"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
