#!/bin/sh
# Arguments, exit codes and the two ways of diagnostics.
. "$(dirname "$0")/stand-in.sh"

cat >good.lua <<'END'
host.output("good.h", "header\n")
END
echo 'error("no good")' >bad.lua
printf '%s\n' 'host.print("a.h\nb.h\n")' >names.lua
echo 'host.print(host.options.dump or "none")' >dump.lua
echo 'host.print(tostring(host.options.emit.c) .. tostring(host.options.emit.check))' >emit.lua

run() {
    "$halogen" "$@" --templates modules
}

expect 0 "usage: halogen" "$halogen" --help
expect 0 "usage: halogen" "$halogen" help
expect 0 "usage: halogen help" "$halogen" help help
expect 2 "there is no command 'chek'; did you mean 'check'?" "$halogen" help chek
expect 2 "there is no command 'nonsense' [HG0010]" "$halogen" help nonsense
expect 2 "an empty word is no SPEC [HG0010]
  help: halogen check --help lists the options" "$halogen" check ""
expect 2 "a path with a line break cannot be used" "$halogen" check "a
b"
expect 0 "halogen " "$halogen" --version
expect 2 "halogen: error: no SPEC given; say halogen SPEC -o DIR [HG0010]" "$halogen"
expect 2 "help: halogen --help lists the commands" "$halogen"
expect 2 "did you mean '--depfile'?" "$halogen" a.lua --dep-file x
expect 2 "add -o DIR" run good.lua
expect 2 "there is no directory 'missing'" "$halogen" --templates missing good.lua -o out

expect 0 "" run good.lua -o out
expect_file out/good.h header
expect 0 "" run generate good.lua -o out2
expect_file out2/good.h header
expect 1 "bad.lua:1: no good" run bad.lua -o out
expect 1 "cannot read 'none.lua': No such file or directory" run none.lua -o out
expect 1 "cannot read '.': Is a directory" run . -o out

expect 0 "plan" run dump.lua --dump plan
expect 0 "none" run dump.lua -o out
expect 0 "truefalse" run emit.lua -o out
expect 0 "falsetrue" run emit.lua -o out --emit check
expect 0 "truetrue" run emit.lua -o out --emit check,c

expect 0 "a.h
b.h" run names.lua --list-outputs
expect 0 "my dir/a.h
my dir/b.h" run names.lua --list-outputs -o "my dir"
expect_absent "my dir"

echo 'retrun spec "wrong" {}' >wrong.lua
cat >radius.lua <<'END'
local radius = param "radius" { default = 2, min = 1, max = 8, text = "layers" }
local scale = param "scale" { default = -0.5 }
local grid = cartesian { axes = "x" }
return spec "radius" { exchange "e" { field "u" { on = grid, type = "double", halo = radius } } }
END
expect 0 "radius: an integer, 1 to 8; default 2, here 4; layers
scale: a number; default -0.5" "$halogen" params radius.lua -D radius=4
for words in "radius.lua --help" "generate --help radius.lua" "--dump plan -h radius.lua -o given"; do
    # shellcheck disable=SC2086 # words
    expect 0 "      print the names of the files

parameters of radius.lua:
radius: an integer, 1 to 8; default 2, here 4; layers
scale: a number; default -0.5" "$halogen" $words -Dradius=4
done
expect_absent given
sed 's/param "[a-z]*" { default = \([-0-9.]*\).*/\1/' radius.lua >fixed.lua
expect 0 "parameters of fixed.lua:
the spec has no parameters" "$halogen" fixed.lua --help
expect 1 "wrong.lua:1:" "$halogen" wrong.lua --help
expect 2 "--dump is no option of 'params'; it belongs to 'generate'" "$halogen" params radius.lua --dump model
expect 2 "-D radius gives no value; write -D NAME=VALUE" "$halogen" radius.lua -o given -D radius
# shellcheck disable=SC2046 # a list of words
expect 2 '-D is given more than 64 times' "$halogen" radius.lua -o given $(seq -f '-D radius=%.0f' 65)
expect 2 "--param needs a value" "$halogen" radius.lua -o given --param
expect 0 "" "$halogen" radius.lua -o given --param=radius=4 -Dscale=-2
expect 0 "RADIUS_PARAM_RADIUS 4" grep PARAM given/radius.h
expect 0 "RADIUS_PARAM_SCALE  (-2.0)" grep PARAM given/radius.h
expect 1 "they differ from line" "$halogen" --compare radius.lua -o given
expect 0 "" "$halogen" --compare radius.lua -o given -D scale=-2 -D radius=4

# A bug of our own is not the user's fault, and says where it is.
mkdir -p broken/lua
echo 'local function build() require "missing" end build()' >broken/lua/main.lua
expect 3 "internal error: there is no 'lua/missing.lua' in this halogen [HG0009]" \
    "$halogen" --templates broken good.lua -o out
expect 3 "broken/lua/main.lua:1: in local 'build'" "$halogen" --templates broken good.lua -o out
echo 'local 1' >broken/lua/main.lua
expect 3 "broken/lua/main.lua:1: <name> expected near '1'" "$halogen" --templates broken good.lua -o out
echo 'require "folder"' >broken/lua/main.lua
mkdir broken/lua/folder.lua
expect 3 "cannot read 'broken/lua/folder.lua': Is a directory" "$halogen" --templates broken good.lua -o out
expect 3 "internal error: pipe: Too many open files" sh -c "ulimit -n 4; '$halogen' good.lua -o out --templates modules"
echo 'host.output("../up.h", "")' >broken/lua/main.lua
expect 3 "'../up.h' is not a plain file name" "$halogen" --templates broken good.lua -o out

echo 'os.exit(7)' >broken/lua/main.lua
expect 3 "the confined process ended with status 7" "$halogen" --templates broken good.lua -o out
echo 'setmetatable({}, { __gc = function() os.exit(8) end })' >broken/lua/main.lua
expect 3 "the confined process ended with status 8" "$halogen" --templates broken good.lua -o out

expect 1 '{"severity":"error","code":"HGTEST","file":"bad.lua","message":"bad.lua:1: no good"}' \
    run bad.lua -o out --diag json
expect 2 '"code":"HG0010","message":"there is no option' "$halogen" check --diag json --bogus
expect 2 '"code":"HG0008"' run good.lua -o good.lua --diag json

# Explanations need no spec and write nothing; without a code they are a list.
expect 0 "HG1504: a width beyond the halo" "$halogen" diagnostic HG1504
expect 0 "HG0001  the spec takes too many seconds
HG0002  " "$halogen" diagnostic
expect 2 'there is no diagnostic "HG150" [HG0010]
  help: did you mean "HG1501"?' "$halogen" diagnostic HG150
expect 2 "--output is no option of 'diagnostic'; it belongs to 'generate'" "$halogen" diagnostic HG1504 -o told
expect_absent told

# Not a terminal: no colors; nothing but diagnostics on standard error, nothing but text on standard output.
run bad.lua -o out 2>said >printed
grep -q "$(printf '\33')" said && complain "colors in a file"
[ -s printed ] && complain "diagnostics on standard output"

expect 2 "cannot write to standard output" sh -c "'$halogen' --help >/dev/full"
finish
