#!/bin/sh
# Where specs, includes and override files come from, and what text they may be.
. "$(dirname "$0")/stand-in.sh"

run() {
    "$halogen" --templates modules "$@" --dump model
}

# Reads the file named in `$1.name` and prints what comes, each answer on a line.
mkdir -p tree/specs/parts tree/other
cat >tree/specs/a.lua <<'END'
for name in host.read("tree/specs/names"):gmatch("[^\n]+") do
  local text, message = host.read(name)
  host.print(text and "read: " .. text or message .. "\n")
end
END
echo one >tree/specs/parts/one.lua
echo two >tree/other/two.lua
ln -s parts/one.lua tree/specs/inside.lua
ln -s ../other/two.lua tree/specs/outside.lua
mkfifo tree/specs/pipe.lua

# includes NAME WORDS
includes() {
    printf '%s\n' "$1" >tree/specs/names
    expect 0 "$2" run tree/specs/a.lua
}

includes tree/specs/parts/one.lua "read: one"
includes tree/specs/parts/../parts/one.lua "read: one"
includes tree/specs/inside.lua "read: one"
includes tree/specs/outside.lua "cannot read 'tree/specs/outside.lua': a spec includes only files below its own directory, 'tree/specs/'"
includes tree/specs/../other/two.lua "only files below its own directory"
includes tree/other/two.lua "only files below its own directory"
includes /etc/passwd "only files below its own directory"
includes "$place/tree/specs/parts/one.lua" "only files below its own directory"
includes tree/specs//etc/passwd "only files below its own directory"
includes tree/specs/pipe.lua "it is no regular file"
includes tree/specs/none.lua "cannot read 'tree/specs/none.lua': No such file or directory"
includes "$(printf '%05000d' 1)" "cannot read"

# The depfile has every file once, in the order of reading.
printf '%s\n' tree/specs/parts/one.lua tree/specs/inside.lua tree/specs/parts/one.lua >tree/specs/names
echo 'host.output("a.h", "Emitted by halogen")' >>tree/specs/a.lua
expect 0 "" "$halogen" --templates modules tree/specs/a.lua -o out --depfile out/d
expect_file out/d "out/a.h: tree/specs/a.lua modules/lua/main.lua tree/specs/names tree/specs/parts/one.lua tree/specs/inside.lua
modules/lua/main.lua:
tree/specs/names:
tree/specs/parts/one.lua:
tree/specs/inside.lua:"

# A spec on standard input: it is no prerequisite, and includes lie below the current directory.
echo 'host.print(host.read("tree/other/two.lua")) host.output("b.h", "Emitted by halogen")' >b.lua
expect 0 "two" "$halogen" --templates modules - -o out --depfile out/d <b.lua
expect_file out/d "out/b.h: modules/lua/main.lua tree/other/two.lua
modules/lua/main.lua:
tree/other/two.lua:"
echo 'host.report { severity = "error", file = "-", line = 1, col = 1, length = 4, message = "here" }' |
    expect 1 "<stdin>:1:1: error: here" run -
mkfifo slow
(sleep 0.2 && echo 'host.print("slow")' >slow) &
expect 0 "slow" run slow

# Text: line ends and byte order mark are taken as they come, other encodings are refused with their line.
printf '%s\n' 'host.print((host.read(host.options.spec):gsub("\n", "|")))' >text.lua
printf '\357\273\277-- mark\r\n-- old\r-- new\n' | cat - text.lua >ends.lua
expect 0 "-- mark|-- old|-- new|host" run ends.lua
printf -- '-- fine \303\251\n-- \351\n' >latin.lua
expect 1 "line 2 of 'latin.lua' has the byte 0xE9, which is not UTF-8" run latin.lua
printf -- '--\n--\n-- \000\n' >nul.lua
expect 1 "line 3 of 'nul.lua' has a NUL byte" run nul.lua
head -c 70000000 /dev/zero | tr '\000' ' ' >large.lua
expect 1 "cannot read 'large.lua': it has more than 64 MiB" run large.lua
: >empty.lua
expect 0 "" run empty.lua

# Override files: one by one, known to the depfile and to the banner.
mkdir modules/parts
printf 'text' >modules/parts/my.tmpl
echo 'return { word = "from the module" }' >modules/lua/mine.lua
cat >c.lua <<'END'
local text, chunk = host.template("parts/my.tmpl")
host.print(text .. " " .. chunk .. "\n" .. require("mine").word .. "\n")
host.template("parts/my.tmpl")
for _, override in ipairs(host.overrides()) do host.print(override.name .. " " .. override.hash .. "\n") end
host.print(tostring(select(2, host.template("none.tmpl"))) .. "\n")
host.output("c.h", "Emitted by halogen")
END
run c.lua | sed 's/lua [0-9a-f]\{16\}$/lua HASH/' >said
expect_file said "text @modules/parts/my.tmpl
from the module
lua/main.lua HASH
parts/my.tmpl fa04f4ef1995407e
lua/mine.lua HASH
there is no 'none.tmpl' in this halogen"
expect 0 "" "$halogen" --templates modules c.lua -o out --depfile out/d
expect_file out/d "out/c.h: c.lua modules/lua/main.lua modules/parts/my.tmpl modules/lua/mine.lua
modules/lua/main.lua:
modules/parts/my.tmpl:
modules/lua/mine.lua:"

# Without an override they are the baked ones, with the names of the source tree.
cat >d.lua <<'END'
local text, chunk = host.template("header.h.tmpl")
host.print(chunk .. #host.overrides() .. " ")
host.print(debug.getinfo(require("base.ordered").pairs or select(2, next(require("base.ordered"))), "S").source)
END
expect 0 "@templates/header.h.tmpl1 @gen/lua/base/ordered.lua" run d.lua
finish
