#!/bin/sh
# Searches a model completely with Spin, then each of its mutants, which must fail.
#
# usage: models.sh MODEL.pml SOURCE_ROOT COMPILER...
#
# Lines " * mutant N: what is wrong" in the model say which mutants there are.  What it names as FILE.c:FUNCTION must
# exist in runtime/, so that whoever renames a function meets the model.
set -eu
model=$1
root=$2
shift 2
name=$(basename "$model" .pml)

lost=$(grep -o '[a-z_/]*\.c:[a-z_]*' "$model" | sort -u | while IFS=: read -r file function; do
    grep -q "[ *]$function(" "$root/runtime/$file" 2>/dev/null || echo "  $function of runtime/$file"
done)
if [ -n "$lost" ]; then
    printf '%s.pml stands for functions that are gone; change the model with the protocol:\n%s\n' "$name" "$lost"
    exit 1
fi

if ! command -v spin >/dev/null; then
    echo "skipped: there is no spin on this machine; Debian has it in package spin"
    exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
spin -a "$model" || exit 1
"$@" -w -DSAFETY -DCOLLAPSE -o pan pan.c

# search MUTANT: prints how many errors there are, or that the search was cut short.
search() {
    MUTANT=$1 ./pan -w20 -m20000 >log 2>&1 || true
    if grep -q -e 'max search depth too small' -e 'out of memory' log; then
        echo incomplete
    else
        sed -n 's/.*errors: //p' log
    fi
}

failed=0
found=$(search 0)
if [ "$found" != 0 ]; then
    echo "$name: errors: ${found:-no search}"
    cat log
    echo "tests/models/README.md says how to see the steps that lead there."
    failed=1
fi
states=$(sed -n 's/ *\([0-9]*\) states, stored.*/\1/p' log)
mutants=$(sed -n 's/^ \* mutant \([0-9]*\): .*/\1/p' "$model")
for mutant in $mutants; do
    if [ "$(search "$mutant")" != 1 ]; then
        echo "$name: mutant $mutant is not found out: $(sed -n "s/^ \* mutant $mutant: //p" "$model")"
        failed=1
    fi
done
echo "$name: $states states without an error; $(echo "$mutants" | wc -w) mutants tried"
exit $failed
