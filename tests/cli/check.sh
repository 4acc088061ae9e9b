#!/bin/sh
# halogen check: says what is wrong with each spec, and writes nothing.
. "$(dirname "$0")/stand-in.sh"

cat >good.lua <<'END'
local grid = cartesian { axes = "xy" }
local u = field "u" { on = grid, type = "double", halo = param "halo" { default = 2 } }
return spec "good" { exchange "e" { u, width = 2 } }
END
sed 's/width = 2/width = 3/' good.lua >wide.lua
sed 's/return/retrun/' good.lua >typo.lua
# A name that only Python refuses.
sed 's/"good"/"types"/' good.lua >types.lua
touch before
find . | sort >before

expect 0 "" "$halogen" check good.lua
[ -z "$said" ] || complain "a good spec is talked about: $said"
expect 1 'wide.lua:3:48: error: exchange "e" fills 3 layers' "$halogen" check wide.lua
expect 1 'typo.lua:3' "$halogen" check good.lua wide.lua typo.lua
case $said in *wide.lua:3*) ;; *) complain "the first of two bad specs is not named: $said" ;; esac
expect 1 'wide.lua:3' "$halogen" check wide.lua good.lua
expect 0 "" "$halogen" check wide.lua -D halo=3
expect 1 "layers" "$halogen" check good.lua -D halo=1
expect 1 '"code":"HG1504","file":"wide.lua","line":3' "$halogen" check good.lua wide.lua --diag json
expect 1 "cannot read 'none.lua'" "$halogen" check none.lua good.lua
expect 1 '3:' sh -c "'$halogen' check - <wide.lua"
expect 0 "" "$halogen" check types.lua
expect 1 "Python" "$halogen" check types.lua --emit c,python
find . | sort | diff before - || complain "check made files"

# Standard streams that are closed: what is opened then does not take their place.
expect 0 "" sh -c "'$halogen' check good.lua <&- >&- 2>&-"
expect 1 "" sh -c "'$halogen' check wide.lua <&- >&- 2>&-"
expect 2 "cannot write to standard output: Bad file descriptor" sh -c "'$halogen' --version >&-"

# An error of our own is worse than a wrong spec, and what comes behind it is still looked at.
mkdir -p broken/lua
echo 'if host.options.spec == "a.lua" then error "broken" end host.report { severity = "error", code = "HGX", message = "b" }' \
    >broken/lua/main.lua
touch a.lua b.lua
expect 3 "error: b [HGX]" "$halogen" check a.lua b.lua --templates broken

# The proof counts: what the generator would refuse last is refused.
mkdir -p unproved/lua/proof
echo 'return { run = function() require("base.report").error("HG2001", nil, "not proved") end }' >unproved/lua/proof/prove.lua
expect 1 "not proved" "$halogen" check good.lua --templates unproved

finish
