#!/bin/sh
# Every spec of specs.txt is refused in time, at its place, in words, and changes nothing.
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

while read -r name; do
    refuses 1 "$name" "$halogen" "$name.lua" -o out --depfile out/test.d
    while read -r words; do
        says "$name" "$words"
    done <"$name.words"
done <names
echo "$(wc -l <names) specs"
finish
