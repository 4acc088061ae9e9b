#!/bin/sh
# The manual pages: halogen(1) knows the options and exit codes of the program, halogen-spec(5) has every word of
# docs/spec-language.md as often, and every diagnostic, and both are what mandoc and groff like.
#
# usage: manual.sh HALOGEN SOURCE_ROOT HALOGEN.1 HALOGEN-SPEC.5
set -u
halogen=$1 root=$2 page=$3 spec_page=$4
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
failures=0

complain() {
    failures=$((failures + 1))
    echo "FAILED $*"
}

"$halogen" --help >"$place/help"
commands=$(sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' "$place/help")

# Options as "-o, --output DIR", of the help and of the page.
for command in '' $commands; do
    # shellcheck disable=SC2086 # or no word
    "$halogen" $command --help
done | sed -n 's/^  \(-.*\)/\1/p' | sed 's/   *.*//' | sort -u >"$place/told"
sed -n 's/^\.It Fl //p' "$page" | sed 's/^-/--/; s/^\([a-zA-Z]\) , /-\1, -/; s/ Ar / /' | sort -u >"$place/listed"
diff "$place/told" "$place/listed" || complain 'the options of the help (<) are not those of halogen(1) (>)'

echo "$commands" >"$place/told"
sed -n 's/^\.It Cm \([a-z]*\) .*/\1/p' "$page" >"$place/listed"
diff "$place/told" "$place/listed" || complain 'the commands of the help (<) are not those of halogen(1) (>)'

sed -n '/^exit codes/,$p' "$place/help" | tr ' ' '\n' | grep '^[0-9]$' >"$place/told"
sed -n 's/^\.It \([0-9]\)$/\1/p' "$page" >"$place/listed"
diff "$place/told" "$place/listed" || complain 'the exit codes of the help (<) are not those of halogen(1) (>)'

"$halogen" diagnostic | sed 's/ .*//' >"$place/told"
sed -n 's/^\.Ss \(HG[0-9]*\): .*/\1/p' "$spec_page" >"$place/listed"
diff "$place/told" "$place/listed" || complain 'the codes of the index (<) are not those of halogen-spec(5) (>)'

# Lines that go on are one, with one space between words.
in_one_line() {
    sed 's/\\e$/\\/' | sed -e ':a' -e '/\\$/N; s/\\\n//; ta' | tr -s ' '
}
in_one_line <"$root/docs/building.md" >"$place/tried"
sed -n '/^\.Sh EXAMPLES/,/^\.Sh DIAGNOSTICS/p' "$page" | sed -n '/^\.Bd/,/^\.Ed/p' | grep -v '^\.' | in_one_line >"$place/listed"
grep -vxFf "$place/tried" "$place/listed" && complain 'halogen(1) has an example that docs/building.md, whose listings are tried, has not'
[ "$(wc -l <"$place/listed")" -ge 9 ] || complain 'the examples of halogen(1) were not found'

if command -v mandoc >/dev/null; then
    for command in $commands; do
        "$halogen" "$command" --help | sed -n 's/^usage: //p'
    done >"$place/told"
    mandoc -T utf8 -O width=500 "$page" | sed "s/.$(printf '\b')//g" | sed -n '/^SYNOPSIS/,/^DESCRIPTION/s/^ *halogen/halogen/p' |
        sed 's/ \.\.\./.../g; s/\[generate\]/generate/' >"$place/listed"
    diff "$place/told" "$place/listed" || complain 'usage in the help (<) is not that of halogen(1) (>)'
    for manual in "$page" "$spec_page"; do
        mandoc -T lint -W warning "$manual" || complain "mandoc does not like $manual"
    done
    # How often each word is told, heads of tables apart, must be no less on the page, without the index of diagnostics.
    sed '/^\.Sh DIAGNOSTICS/,$d' "$spec_page" >"$place/language"
    mandoc -T utf8 -O width=500 "$place/language" | sed "s/.$(printf '\b')//g" >"$place/shown"
    sed '1d; /^```/d; /^<!--/d' "$root/docs/spec-language.md" | sed '$!N; /\n|-/d; P; D' >"$place/written"
    awk -F '[^A-Za-z0-9_]+' '
        { for (i = 1; i <= NF; ++i) missing[tolower($i)] += FILENAME ~ /written$/ ? 1 : -1 }
        END { for (word in missing) if (word != "" && missing[word] > 0) print missing[word] " times " word }
    ' "$place/written" "$place/shown" >"$place/lost"
    [ ! -s "$place/lost" ] || complain "halogen-spec(5) lacks words of docs/spec-language.md: $(cat "$place/lost")"
else
    echo 'not tried: mandoc, which this machine has not'
fi
if command -v groff >/dev/null; then
    for manual in "$page" "$spec_page"; do
        groff -mandoc -Kutf8 -ww -z "$manual" >"$place/said" 2>&1
        [ ! -s "$place/said" ] || complain "groff does not like $manual: $(cat "$place/said")"
    done
else
    echo 'not tried: groff, which this machine has not'
fi
[ "$failures" -eq 0 ] && echo 'all as expected'
exit "$failures"
