-- Order of keys, stability of sorting, and that nobody else walks tables in Lua's own order.

local case = require "case"
local ordered = require "base.ordered"

case("keys: numbers, strings, booleans, each ascending", function()
  local keys = ordered.keys { b = 1, a = 1, [10] = 1, [2] = 1, [1.5] = 1, [true] = 1, [false] = 1, [-3] = 1 }
  local text = {}
  for i, key in ipairs(keys) do text[i] = tostring(key) end
  assert(table.concat(text, " ") == "-3 1.5 2 10 a b false true")
end)

case("keys without an order are named", function()
  local keys, strange = ordered.keys { a = 1, [{}] = 2 }
  assert(#keys == 1 and strange == "table")
  assert(not pcall(ordered.pairs, { [print] = 1 }))
end)

case("pairs gives the values", function()
  local seen = {}
  for key, value in ordered.pairs { y = 2, x = 1 } do seen[#seen + 1] = key .. value end
  assert(table.concat(seen) == "x1y2")
end)

case("sort is right and stable for every length", function()
  local state = 1
  for count = 0, 70 do
    local list = {}
    for i = 1, count do
      state = (state * 1103515245 + 12345) % 2147483648
      list[i] = { key = state // 65536 % 7, place = i }
    end
    assert(ordered.sort(list, function(a, b) return a.key < b.key end) == list and #list == count)
    for i = 2, count do
      local a, b = list[i - 1], list[i]
      assert(a.key < b.key or a.key == b.key and a.place < b.place)
    end
  end
end)

case("no other module calls next, pairs or table.sort", function()
  local list = assert(io.popen(('find "%s/gen/lua" -name "*.lua"'):format(source_root)))
  local seen = 0
  for file in list:lines() do
    local number = 0
    for line in io.lines(file) do
      number = number + 1
      local code = line:gsub("%-%-.*$", ""):gsub('"[^"]*"', '""')
      local bad = not file:find("/ordered.lua", 1, true)
        and (code:find("%f[%w_.]next%s*[(,]") or code:find("%f[%w_.]pairs%s*%(") or code:find("table%.sort%s*%("))
      assert(not bad, ("%s:%d: %s"):format(file, number, line))
    end
    seen = seen + 1
  end
  list:close()
  assert(seen > 10)
end)
