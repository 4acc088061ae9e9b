#!/bin/sh
# A child that lies: what a broken Lua could send through the pipe must not get past the parent.
. "$(dirname "$0")/stand-in.sh"

if [ ! -d /proc/self/fd ]; then
    echo "needs /proc to find the pipe"
    exit 77
fi

# The stand-in for lua/main.lua finds the pipe to the parent and gives the spec `send`, which writes to it past the host.
cat >modules/lua/main.lua <<'END'
local kinds = { source = 0, diag = 1, note = 2, fix = 3, output = 4, print = 5, limit = 6, internal = 7, last = 8 }
local list = io.popen('for f in /proc/$PPID/fd/*; do [ -p "$f" ] && echo "${f##*/}"; done')
local lowest
for number in list:lines() do
  number = tonumber(number)
  if number > 2 and (not lowest or number < lowest) then lowest = number end
end
local pipe = io.open("/proc/self/fd/" .. lowest, "wb")
local function raw(bytes)
  pipe:write(bytes)
  pipe:flush()
end
local function send(kind, numbers, texts)
  local n, t = { 0, 0, 0, 0 }, { "", "", "", "" }
  table.move(numbers, 1, #numbers, 1, n)
  table.move(texts, 1, #texts, 1, t)
  raw(string.pack("=I4I4I4I4I4I4I4I4I4", kinds[kind] or kind, n[1], n[2], n[3], n[4], #t[1], #t[2], #t[3], #t[4]))
  raw(table.concat(t))
end
host.compile(host.read(host.options.spec), "@spec", { send = send, raw = raw, string = string })()
END

# The rest of a line is a spec.
while read -r spec; do
    printf '%s send("last", {0}, {})\n' "$spec" >forged.lua
    expect 3 "the confined process sent something that makes no sense" \
        "$halogen" --templates modules forged.lua -o out/in
    expect_absent out
    expect_absent up.h
done <<'END'
raw(string.rep("?", 100))
send(9, {}, {})
send("output", {}, {"../up.h", "text"})
send("output", {}, {"", "text"})
send("output", {}, {"a\0b", "text"})
send("output", {}, {string.rep("a", 201), "text"})
for i = 1, 2 do send("output", {}, {"same.h", "text"}) end
for i = 1, 17 do send("output", {}, {i .. ".h", "text"}) end
for i = 1, 3 do send("output", {}, {i .. ".h", string.rep(string.rep("x", 1024), 30 << 10)}) end
for i = 1, 2 do send("print", {}, {string.rep(string.rep("x", 1024), 10 << 10)}) end
for i = 1, 300 do send("source", {}, {"a.lua", ""}) end
for i = 1, 101 do send("diag", {0, 1, 1, 1}, {"HG1", "a.lua", "wrong", ""}) end
send("diag", {3, 1, 1, 1}, {"HG1", "a.lua", "wrong", ""})
send("note", {2, 1, 1, 1}, {"", "a.lua", "note", ""})
send("fix", {1, 1, 1}, {"a.lua", "text"})
send("diag", {0}, {}) send("fix", {0, 1, 1}, {"a.lua", "text"})
send("diag", {0}, {}) send("fix", {1, 0, 1}, {"a.lua", "text"})
send("diag", {0}, {}) for i = 1, 2 do send("fix", {1, 1, 1}, {"a.lua", "text"}) end
send("diag", {0}, {}) send("fix", {1, 1, 1}, {"a.lua", string.rep("x", 5000)})
send("diag", {0}, {}) for i = 1, 9 do send("note", {2}, {"", "", "note", ""}) end
send("diag", {0, 1, 1, 1}, {"HG1", "a.lua", string.rep("x", 5000), ""})
send("limit", {6}, {})
END

# Odd, but within the rules: shown without harm.
echo 'send("diag", {0, 4294967295, 4294967295, 4294967295}, {"", "forged.lua", "", ""}) send("last", {1}, {})' >forged.lua
expect 1 "forged.lua:4294967295:4294967295: error: " "$halogen" --templates modules forged.lua -o out
finish
