# Sourced by the tests of hostile specs: a place of their own, in which a directory `out` has an earlier output and a
# file of somebody else, and a check that a refused run ends in time, says why, and leaves `out` as it is.
. "$(dirname "$0")/../cli/stand-in.sh"

mkdir out
cat >test.lua <<'END'
local grid = cartesian { axes = "xy" }
return spec "test" { exchange "e" { field "p" { on = grid, type = "double", halo = 1 } } }
END
"$halogen" test.lua -o out || exit 1
echo "not ours" >out/theirs.txt

# 5 seconds of a processor, of which a machine that others use gives a part.
seconds_allowed=$((25 * ${HALOGEN_PATIENCE:-1}))

# Names, kinds and rights of all that is in the directory; sizes, dates and contents of files.
fingerprint() {
    find "$1" -printf '%p %y %m %i\n' | sort
    find "$1" -type f -printf '%p %s %T@\n' -exec cksum {} + | sort
}
fingerprint out >before

# refuses CODE NAME COMMAND...: runs a command, whose words come into NAME.said.
refuses() {
    wanted=$1 name=$2
    shift 2
    start=$(date +%s)
    "$@" >"$name.said" 2>&1
    got=$?
    seconds=$(($(date +%s) - start))
    [ "$got" -eq "$wanted" ] || complain "$name: exit code $got, not $wanted: $(head -c 1000 "$name.said")"
    [ "$seconds" -le "$seconds_allowed" ] || complain "$name: $seconds seconds"
    [ "$(wc -c <"$name.said")" -lt 100000 ] || complain "$name: $(wc -c <"$name.said") bytes are said"
    LC_ALL=C tr -d '\n' <"$name.said" | LC_ALL=C grep -q '[[:cntrl:]]' && complain "$name: control characters are said"
    fingerprint out | cmp -s before - || complain "$name: the directory of outputs has changed"
}

# says NAME WORDS: what was said has the words.
says() {
    grep -qF -e "$2" "$1.said" || complain "$1: no '$2' in: $(head -c 1000 "$1.said")"
}

# each_line NAME ROWS ROW LAST: the spec NAME.lua begins with the line or lines $first; for each row "VALUE<tab>WORDS" of the
# file ROWS it has a line, which is ROW with the value for "@"; then comes LAST.  Of each of these lines halogen must say an
# error with those words.
each_line() {
    printf '%s\n' "$first" >"$1.lua"
    awk -F '\t' -v row="$3" -v last="$4" '
        BEGIN { at = index(row, "@") }
        { print substr(row, 1, at - 1) $1 substr(row, at + 1) }
        END { print last }
    ' "$2" >>"$1.lua"
    refuses 1 "$1" "$halogen" "$1.lua" -o out
    line=$(printf '%s\n' "$first" | wc -l)
    while IFS='	' read -r value words; do
        line=$((line + 1))
        grep -F -e "$1.lua:$line:" "$1.said" | grep -F ': error: ' | grep -qF -e "$words" ||
            complain "$1, $value: no '$words' in line $line: $(grep -F -e "$1.lua:$line:" "$1.said" | head -c 1000)"
    done <"$2"
}
