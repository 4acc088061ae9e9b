-- From the tables of a spec to the model: defaults, every way to write a thing, places, the hash.

local case = require "case"
local model = require "model.model"
local specs = require "specs"

local function list(values)
  local out = {}
  for i, value in ipairs(values) do out[i] = tostring(value) end
  return table.concat(out, " ")
end

local function order(entries, axes)
  local text = specs.with { grid = entries }
  return list(specs.model(axes and text:gsub('"xyz"', axes) or text).grid.order)
end

case("defaults", function()
  local m = specs.model [[
    local grid = cartesian { axes = "xy" }
    local u, v = fields { "u", "v", on = grid, type = "int" }
    local p = field "p" { on = grid, type = "double", halo = { y = { hi = 3 } } }
    return spec "test" { exchange "e" { p } }
  ]]
  assert(m.name == "test" and m.version == 1 and m.file == "test.lua" and #m.hash == 16 and #m.vectors == 0)
  assert(list(m.grid.axes) == "x y" and list(m.grid.order) == "1 2" and m.grid.kind == "cartesian")
  assert(list(m.grid.periodic) == "false false" and list(m.grid.decomposed) == "true true")
  assert(list(m.grid.cells) == "false false")
  local u, v, p = table.unpack(m.fields)
  assert(u.name == "u" and v.name == "v" and v.index == 2 and u.ctype.size == 4 and v.where.col == 32)
  assert(list(u.halo.lo) == "0 0" and list(p.halo.lo) == "0 0" and list(p.halo.hi) == "0 3")
  assert(list(p.order) == "1 2" and list(p.at) == "center center")
  local e = m.exchanges[1]
  assert(e.stencil == "box" and #e.items == 1 and e.items[1].field == p and list(e.items[1].hi) == "0 3")
end)

case("order in memory", function()
  assert(order("") == "1 2 3")
  assert(order('fastest = "x"') == "1 2 3")
  assert(order('fastest = "z"') == "3 2 1")
  assert(order('order = "yxz"') == "2 1 3")
  assert(order('order = { "z", "x", "y" }') == "3 1 2")
  assert(order('fastest = "lat"', '{ "lon", "lat" }') == "2 1")
  assert(order('fastest = "x"', '"x"') == "1")
  local m = specs.model(specs.with { grid = 'fastest = "z"', field = 'order = "yzx"' })
  assert(list(m.grid.order) == "3 2 1" and list(m.fields[1].order) == "2 3 1")
end)

case("axes by string or list", function()
  local m = specs.model(specs.with { grid = 'periodic = "xz", decomposed = { "y" }, cells = { z = 79 }' })
  assert(list(m.grid.periodic) == "true false true" and list(m.grid.decomposed) == "false true false")
  assert(list(m.grid.cells) == "false false 79")
  m = specs.model((specs.with { grid = 'periodic = "ab", decomposed = {}' }:gsub('"xyz"', '{ "a", "b", "ab" }')
    :gsub("halo = 2", "halo = { ab = 1 }")))
  assert(list(m.grid.periodic) == "false false true" and list(m.grid.decomposed) == "false false false")
end)

case("widths", function()
  local m = specs.model(specs.with { exchange = "width = 1" })
  assert(list(m.exchanges[1].items[1].lo) == "1 1 1")
  m = specs.model(specs.with { exchange = "width = { x = 2, z = { lo = 1 } }" })
  assert(list(m.exchanges[1].items[1].lo) == "2 0 1" and list(m.exchanges[1].items[1].hi) == "2 0 0")
end)

case("widths of fields", function()
  local m = specs.model [[
    local grid = cartesian { axes = "xy" }
    local u, v, w, p = fields { "u", "v", "w", "p", on = grid, type = "double", halo = 3 }
    local wide = { w, width = { y = 3 } }
    return spec "test" { exchange "e" { { u, p, width = 2 }, v, wide, width = 1 } }
  ]]
  local items = m.exchanges[1].items
  local said = {}
  for i, item in ipairs(items) do said[i] = ("%s %s, %s"):format(item.field.name, list(item.lo), list(item.hi)) end
  assert(table.concat(said, "; ") == "u 2 2, 2 2; p 2 2, 2 2; v 1 1, 1 1; w 0 3, 0 3")
  assert(items[2].where.col == items[1].where.col + 3 and items[4].where.line == 4)
  local alone = specs.model(specs.with { exchange = "width = 1" })
  local same = specs.model((specs.with {}:gsub("{ u, ", "{ { u, width = 1 } ")))
  assert(alone.hash == same.hash)
end)

case("every type", function()
  local ctypes = require "model.ctypes"
  for _, name in ipairs(ctypes.names) do
    local m = specs.model((specs.with {}:gsub('"double"', '"' .. name .. '"')))
    assert(m.fields[1].type == ctypes.find(name).name and m.fields[1].ctype.size > 0)
  end
  assert(ctypes.find("float complex").name == "hx_complex64" and ctypes.find("half").name == "hx_half")
end)

case("a struct", function()
  local text = [[
local cell = struct { name = "cell", header = "cell.h", size = %d, align = 8 }
]] .. specs.with {}:gsub('"double"', "cell")
  local m = specs.model(text:format(24))
  local ctype = m.fields[1].ctype
  assert(m.fields[1].type == "cell" and ctype.size == 24 and ctype.alignment == 8 and ctype.header == "cell.h")
  assert(m.hash ~= specs.model(text:format(32)).hash)
end)

case("the hash is that of the sense", function()
  local plain = specs.with {}
  local hash = specs.model(plain).hash
  assert(specs.model("-- comment\n\n" .. plain).hash == hash)
  assert(specs.model((plain:gsub("halo = 2", "halo = { z = 2, y = 2, x = { hi = 2, lo = 2 } }"))).hash == hash)
  assert(specs.model(specs.with { grid = 'order = "xyz"', exchange = 'width = 2, stencil = "box"' }).hash == hash)
  for _, change in ipairs { { '"u"', '"v"' }, { '"e"', '"f"' }, { '"test"', '"tess"' }, { "halo = 2", "halo = 3" },
    { '"double"', '"float"' }, { '"xyz"', '"xyw"' }, { '"xyz"', '"xyz", periodic = "x"' },
    { '"xyz"', '"xyz", cells = { x = 4 }' }, { '"xyz"', '"xyz", decomposed = "x"' }, { '"xyz"', '"xyz", fastest = "z"' },
    { "{ u,", '{ u, stencil = "star",' }, { "{ u,", "{ u, width = 1," } } do
    local text = plain:gsub(change[1], change[2])
    assert(specs.model(text).hash ~= hash, change[2])
  end
end)

case("plain data has neither places nor references", function()
  local seen = {}
  local function walk(value)
    if type(value) ~= "table" then return assert(type(value) ~= "function") end
    assert(not seen[value])
    seen[value] = true
    for key, entry in pairs(value) do
      assert(key ~= "where" and key ~= "node" and key ~= "file")
      walk(entry)
    end
  end
  walk(model.plain(specs.model(specs.with {})))
end)

case("the same every time", function()
  local text = specs.with { grid = 'periodic = "zx"', field = 'order = "zyx"' }
  local first
  for _ = 1, 20 do
    local hash = specs.model(text).hash
    assert(not first or first == hash)
    first = hash
  end
end)

-- The model of a spec of so many fields, and thousands of instructions that it takes: no clock is asked on a busy machine.
local function big(fields)
  local lines = { 'local grid = cartesian { axes = "xyz" }', "local list = {}" }
  for i = 1, fields do
    lines[#lines + 1] = ('list[%d] = field "f%d" { on = grid, type = "double", halo = { x = { lo = 1 } } }'):format(i, i)
  end
  lines[#lines + 1] = 'return spec "big" { exchange "all" { table.unpack(list) } }'
  local thousands = 0
  debug.sethook(function() thousands = thousands + 1 end, "", 1000)
  local m = specs.model(table.concat(lines, "\n"))
  debug.sethook()
  return m, thousands
end

case("a thousand fields in reasonable time", function()
  local m, work = big(1000)
  assert(#m.fields == 1000 and #m.exchanges[1].items == 1000 and m.fields[1000].where.line == 1002)
  local _, less = big(250)
  assert(less > 0 and work < 5 * less, work .. " against " .. less)
end)
