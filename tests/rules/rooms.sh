#!/bin/sh
# Files lie in rooms, and use only what lies below them: see the file rooms.  First, that each fault is found.
#
# usage: rooms.sh SOURCE_ROOT
set -u
rules=$1/tests/rules
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0

# finds WHAT TEXT: a wrong tree in `work` is refused with the text, whether it is C or Lua.
finds() {
    awk -f "$rules/rooms.awk" -v root="$work" "$work/rooms" >"$work/said" && failed=1
    if ! grep -qF "$2" "$work/said"; then
        echo "FAIL $1 is not found: $(cat "$work/said")"
        failed=1
    fi
    rm -rf "$work/c" "$work/lua"
    mkdir -p "$work/c/low" "$work/c/left" "$work/c/right" "$work/lua/low" "$work/lua/high"
    touch "$work/c/low/a.c" "$work/lua/low/a.lua"
    for room in c c/low c/left c/right lua lua/low lua/high; do
        echo "# What it is for: \`a\`, \`b.c\`, \`c\`, \`d\`" >"$work/$room/README.md"
    done
}

printf 'tree c c h\nlow\nleft right\n.\ntree lua lua\nlow\nhigh\n.\n' >"$work/rooms"
finds "a tree without files" "FAIL c has no files" 2>"$work/complaint"
echo '#include "right/b.h"' >"$work/c/low/a.c"
touch "$work/c/right/b.h"
finds "an include that goes up" "FAIL c/low/a.c:1: low uses right/b.h, which lies above it"
echo 'local b = f(require("high.b"))' >"$work/lua/low/a.lua"
touch "$work/lua/high/b.lua"
finds "a require that goes up" "FAIL lua/low/a.lua:1: low uses high/b.lua, which lies above it"
echo 'local b = require("high." .. kind)' >"$work/lua/low/a.lua"
finds "a require of a folder that goes up" "FAIL lua/low/a.lua:1: low uses high/any, which lies above it"
echo 'local b = require(kind)' >"$work/lua/low/a.lua"
finds "a require of anything" "FAIL lua/low/a.lua:1: only files of the top floor may require what no text names"
echo 'local b = require "low.b"' >"$work/lua/low/a.lua"
finds "a require of nothing" "FAIL lua/low/a.lua:1: there is no module low/b"
echo '#include "c.h"' >"$work/c/left/b.c"
echo '#include "right/d.h"' >"$work/c/left/c.h"
echo '#include "left/b.h"' >"$work/c/right/d.c"
touch "$work/c/left/b.h" "$work/c/right/d.h"
finds "a circle" "FAIL c/right/d.c:1: a circle: left/b leads back to right/d"
printf '\nUses `left`.\n' >>"$work/c/right/README.md"
echo '#include "low/a.h"' >"$work/c/right/b.c"
touch "$work/c/low/a.h"
finds "a use that the README does not name" 'FAIL c/right/README.md does not name `low`, which is used at c/right/b.c:1'
printf '\nUses all rooms but `low`.\n' >>"$work/c/right/README.md"
echo '#include "low/a.h"' >"$work/c/right/b.c"
touch "$work/c/low/a.h"
finds "a use that the README rules out" 'FAIL c/right/README.md rules out `low`, which is used at c/right/b.c:1'
mkdir "$work/c/attic"
touch "$work/c/attic/a.h"
finds "a file without a room" "FAIL c/attic/a.h lies in no room"
rm "$work/c/low/README.md"
finds "a room without a README" "FAIL c/low/README.md is missing"
touch "$work/c/low/new.c" "$work/c/low/new.h"
finds "a file that no README names" "FAIL c/low/README.md does not name new"
awk -f "$rules/rooms.awk" -v root="$work" "$work/rooms" || failed=1

awk -f "$rules/rooms.awk" -v root="$1" "$rules/rooms" || failed=1

# Folders whose files use each other by other means: the README names all of them, a folder below by its name or file by file.
names_all() { # FOLDER
    find "$1" -type f ! -name README.md ! -name meson.build | sed "s|^$1/||" | sort | while read -r file; do
        folder=$(dirname "$file")
        unit=$(basename "$file")
        unit=${unit%%.*}
        [ "$folder" = . ] || unit=$folder/$unit
        grep -qF -e "\`$unit\`" -e "\`$unit." -e "\`$folder\`" -e "\`$folder/\`" "$1/README.md" && continue
        echo "FAIL $1/README.md does not name $file"
    done | grep . && return 1
    return 0
}
mkdir "$work/texts"
touch "$work/texts/told.tmpl" "$work/texts/untold.tmpl"
echo '`told`' >"$work/texts/README.md"
[ "$(names_all "$work/texts")" = "FAIL $work/texts/README.md does not name untold.tmpl" ] || failed=1
for folder in templates gen/integration tests/exchange; do
    (cd "$1" && names_all "$folder") || failed=1
done
exit "$failed"
