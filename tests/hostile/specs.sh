#!/bin/sh
# Every spec of specs.txt is refused in time, at its place, in words, and changes nothing.
#
# With ERRORS_EVERY=N in the environment only every N-th spec is tried.
. "$(dirname "$0")/guard.sh"
table=$(cd "$OLDPWD" && realpath "$(dirname "$0")")/specs.txt

# NAME.lua, and in NAME.words a line per row of words, the place first.
awk '
    /^== / {
        close(spec)
        name = $2
        spec = name ".lua"
        line = $3
        place = line == "-" ? spec ": error: " : spec ":" line ":"
        sub(/^== [^ ]+ [^ ]+ \| /, "")
        gsub(/ \| /, "\n")
        print place "\n" $0 >(name ".words")
        close(name ".words")
        print name >"names"
        printf "" >spec
        next
    }
    name { print >spec }
' "$table"

awk -v every="${ERRORS_EVERY:-1}" 'NR % every == 0' names >tried
while read -r name; do
    refuses 1 "$name" "$halogen" "$name.lua" -o out --depfile out/test.d
    while read -r words; do
        says "$name" "$words"
    done <"$name.words"
done <tried
echo "$(wc -l <tried) specs"
finish
