#!/bin/sh
# One bad spec per rule: NAME.lua, and in NAME.txt what halogen says about it, to the letter.
#
# Each spec must be refused with exit code 1 and write nothing; one that only gets warnings must pass.  Every code of a
# diagnostic that the modules of the language know must occur.  A first line `-- options: …` is added to the command.
# What is told to leave a language out of --emit passes without it.
#
# usage: run.sh HALOGEN              compare
#        run.sh HALOGEN --update     store what it says now; read it before you commit it
#
# With ERRORS_EVERY=N in the environment only every N-th spec is tried.
set -u
halogen=$(realpath "$1") update=${2:-} every=${ERRORS_EVERY:-1}
cd "$(dirname "$0")" || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
number=0 passed=0 failed=0

fail() {
    echo "FAILED $1"
    failed=$((failed + 1))
}

for spec in *.lua; do
    number=$((number + 1))
    [ $((number % every)) -eq 0 ] || continue
    name=${spec%.lua}
    options=$(sed -n '1s/^-- options: //p' "$spec")
    mkdir "$work/out"
    # The options are words on purpose.
    # shellcheck disable=SC2086
    "$halogen" "$spec" -o "$work/out" $options 2> "$work/said"
    code=$?
    [ "$update" = --update ] && cp "$work/said" "$name.txt"
    wanted=0 files=some
    grep -q ': error: ' "$name.txt" && wanted=1 files=
    [ -n "$(ls "$work/out")" ] && found=some || found=
    if ! diff -u "$name.txt" "$work/said"; then
        fail "$name: other words"
    elif [ "$code" -ne "$wanted" ]; then
        fail "$name: exit code $code, not $wanted"
    elif [ "$found" != "$files" ]; then
        fail "$name: output files: ${found:-none}, not ${files:-none}"
    elif grep -q 'leave [a-z]* out of --emit$' "$name.txt" && ! "$halogen" "$spec" -o "$work/out" --emit c 2> "$work/said"; then
        cat "$work/said"
        fail "$name: refused for C, too"
    else
        passed=$((passed + 1))
    fi
    rm -r "$work/out"
done

for text in *.txt; do
    [ -f "${text%.txt}.lua" ] || fail "$text: its spec is missing"
done
for code in $(grep -rohE --include='*.lua' 'HG1[0-9]{3}' ../../gen/lua | sort -u); do
    if ! grep -q "\[$code\]" ./*.txt; then
        fail "$code: no spec here gets it"
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
