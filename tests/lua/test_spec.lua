-- The language: what a spec can do and what it cannot, files, and that it means the same every time.

local case = require "case"
local specs = require "specs"

local function refused(text, code, pattern)
  local m, reports = specs.read(text)
  assert(not m and reports[1], "not refused: " .. tostring(text))
  assert(reports[1].code == code, reports[1].code .. ": " .. reports[1].message)
  assert(not pattern or reports[1].message:find(pattern, 1, true), reports[1].message)
  return reports[1]
end

local function runs(code)
  specs.model(code .. "\n" .. specs.with {})
end

case("what Lua leaves out of a spec says why", function()
  for _, name in ipairs { "load", "loadstring", "loadfile", "dofile", "require", "io", "os", "debug", "package", "pcall",
    "xpcall", "print", "warn", "coroutine", "collectgarbage", "setmetatable", "getmetatable", "rawget", "rawset",
    "rawequal", "rawlen", "next", "_G", "string.find", "string.match", "string.gmatch", "string.gsub", "string.dump",
    "math.random", "math.randomseed" } do
    assert(refused("local x = " .. name, "HG1008", name).help, name)
  end
  refused("local x = host", "HG1003")
  refused("local x = string.pak", "HG1003")
end)

case("nor by the methods of strings", function()
  for _, method in ipairs { "find", "match", "gmatch", "gsub", "dump", "pack" } do
    refused(('local x = ("x"):%s("y")'):format(method), "HG1008")
  end
  runs('assert(("abc"):upper():sub(2) == "BC" and #("x"):rep(3) == 3)')
  assert(("x"):find("x") == 1)
end)

case("our own modules get their strings back after an error", function()
  refused("error('x')", "HG1002", "x")
  assert(("x"):find("x") == 1)
end)

case("globals are not set, and unknown names are not nil", function()
  assert(refused("x = 1", "HG1004").help == "write local x = …")
  refused("_ENV.x = 1", "HG1004")
  assert(refused("local g = cartesain {}", "HG1003").help == "did you mean cartesian?")
  assert(refused("local near <const>, far = 1\nlocal x = fra", "HG1003").help == "did you mean far?")
  assert(refused("local function double() end\nlocal x = duoble()", "HG1003").help == "did you mean double?")
  assert(refused("do local width = 1 end\nlocal x = width", "HG1003").help:find("a block that has ended", 1, true))
  assert(refused("local x = v", "HG1003").help == "write local v = … before it")
  assert(refused("local x = vetcor", "HG1003").help == "did you mean vector?")
  assert(refused("local x = wnid", "HG1003").help == "write local wnid = … before it")
end)

case("no addresses", function()
  runs('assert(tostring({}) == "a table" and tostring(include) == "a function" and tostring(1.5) == "1.5")')
  runs('assert(string.format("%s %d", {}, 3) == "a table 3")')
  refused('local x = string.format("%p", {})', "HG1008")
  refused('local x = string.format("%5p", {})', "HG1008")
end)

case("pairs and sort are always the same", function()
  runs('local s = "" for k, v in pairs { b = 1, a = 2, 3 } do s = s .. k .. v end assert(s == "13a2b1")')
  runs('local t = table.move({ 1, 2 }, 1, 2, 2) assert(#t == 3 and t[2] == 1 and t[3] == 2)')
  runs('local t = { 3, 1, 2 } table.sort(t) assert(table.concat(t) == "123")')
  runs('local t = { 3, 1, 2 } table.sort(t, function(a, b) return a > b end) assert(table.concat(t) == "321")')
  refused('table.sort { 1, "a" }', "HG1002")
  refused('for k in pairs(nil) do end', "HG1002", "pairs needs a table, not nothing")
  refused('for k in pairs { [{}] = 1 } do end', "HG1002", "no order")
end)

case("binary chunks, byte order mark, carriage returns, and #! lines", function()
  refused(string.dump(function() end), "HG1001")
  specs.model("\xEF\xBB\xBF" .. specs.with {})
  specs.model("#!/usr/bin/env halogen\n" .. specs.with {})
  assert(specs.model((specs.with {}:gsub("\n", "\r\n"))).exchanges[1].where.line == 3)
end)

case("lines of errors", function()
  assert(refused("local a\nlocal b = 1 +\n\nreturn", "HG1001").line == 4)
  assert(refused("local a\n\na.b = 1", "HG1002").line == 3)
  assert(refused("local function f()\n  error('deep')\nend\n\nf()", "HG1002", "deep").line == 2)
  assert(refused("return cartesian { axes = 3 }", "HG1007").line == 1)
  refused("local x = " .. ("("):rep(300) .. "1" .. (")"):rep(300), "HG1001", "too deeply")
  -- Lua nests 200 levels, of which some are those around the spec.
  local line = refused("local y\nlocal x = " .. ("{\n"):rep(300) .. ("}"):rep(300), "HG1001", "too deeply").line
  assert(line > 170 and line <= 202, line)
  refused("error {}", "HG1002", "a table")
  refused("error()", "HG1002", "nothing")
end)

case("handles are closed", function()
  refused('local g = cartesian { axes = "x" }\nlocal a = g.axes', "HG1009")
  refused('local g = cartesian { axes = "x" }\ng.axes = 1', "HG1009")
  refused('local g = cartesian { axes = "x" }\ng {}', "HG1009", "has its table already")
  refused('local g = cartesian { axes = "x" } .. "x"', "HG1002", "grid")
end)

case("include: relative to the including file, once, with all values", function()
  local m = specs.model {
    ["test.lua"] = 'local g, n = include "sub/grid.lua"\nlocal h = include "sub/grid.lua"\nassert(g == h and n == 3)\n'
      .. 'local u = field "u" { on = h, type = "int", halo = n }\nreturn spec "test" { exchange "e" { u } }',
    ["sub/grid.lua"] = 'return include "deep/er.lua", 3',
    ["sub/deep/er.lua"] = '\nreturn cartesian { axes = "x" }',
  }
  assert(m.grid.where.file == "sub/deep/er.lua" and m.grid.where.line == 2 and m.grid.where.col == 8)
end)

case("include: what goes wrong", function()
  refused('include "none.lua"', "HG1005")
  refused('include "test.lua"', "HG1006", "includes itself")
  refused('include ".//././test.lua"', "HG1006", '"test.lua" includes itself')
  refused('include(3)', "HG1102", "the number 3")
  local d = refused({ ["test.lua"] = 'local x = include "b.lua"', ["b.lua"] = "\nlocal y = z" }, "HG1003")
  assert(d.file == "b.lua" and d.line == 2)
end)

case("entries of tables are not nothing, and keep their values", function()
  local function kept(code) runs("local function two() return 1, 2 end\nlocal function none() end\n" .. code) end
  local function dropped(code, code_of, pattern)
    refused("local function two() return 1, 2 end\nlocal function none(...) return ... end\nlocal unset\n" .. code, code_of, pattern)
  end
  kept("local t = { (two()), two() } assert(#t == 3)")
  kept("local t = { key = 1, two() } assert(#t == 2)")
  kept("local t = { none() } assert(#t == 0)")
  kept("local t = { key = none(), 'a', [[b]], -1, not 1, 2 .. 3, #'a', function(...) return { ... } end, { 1 }, } assert(#t == 8)")
  kept("local f = function(...) return { key = 1, ... } end assert(#f(1, 2, 3) == 3)")
  kept("local t = { a = { two() }; two; two } assert(#t.a == 2 and #t == 2)")
  kept("local t = { two --[[ } , ]], -- }\n two } assert(#t == 2)")
  kept("do local _ENV = { assert = assert } local t = { assert(1), assert(2) } assert(#t == 2) end")
  dropped("local t = { two(), 3 }", "HG1011", "this entry has 2 values")
  dropped("local t = { two(), key = 3 }", "HG1011")
  dropped("local t = { { two(), 1 } }", "HG1011")
  dropped("local function f(...) return { ..., key = 1 } end f(1, 2, 3)", "HG1011", "... has 3 values")
  dropped("local t = { unset }", "HG1010", "entry 1 ")
  dropped("local t = { 1, two, nil }", "HG1010", "entry 3 ")
  dropped("local t = { none(), 1 }", "HG1010", "entry 1 ")
  dropped("local t = { 1, none(2, nil) }", "HG1010", "entry 3 ")
  dropped("local t = { (none()) }", "HG1010")
  dropped("local t = { f = function() return { unset } end } t.f()", "HG1010")
  local where = refused("local t = {\n  1,\n  nil }", "HG1010").where
  assert(where.line == 3 and where.col == 3 and where.length == 3)
end)

case("parameters are declared in one way", function()
  runs('assert(param "r" { default = 2 } == 2 and param "k" { default = "a" } == "a" and param "d" { default = false } == false)')
  runs('assert(param "r" { default = 2.5, min = 2.5, max = 3.0, text = "what it is" } == 2.5)')
  for _, wrong in ipairs { 'param(5)', 'param("a__b")', 'param("r", {})', 'param "r" (5)', 'param "r" {}', 'param "r" { default = {} }',
    'param "r" { default = 1, type = "int" }', 'param "r" { default = 1.5, type = "integer" }', 'param "r" { default = 0/0 }',
    'param "r" { default = 1, min = 2 }', 'param "r" { default = 1, max = 0 }', 'param "r" { default = 1, max = "2" }',
    'param "r" { default = "a", min = 1 }', 'param "r" { default = "a", values = { "b" } }', 'param "r" { default = 1, values = { "b" } }',
    'param "r" { default = "a", values = { "a", 5 } }', 'param "r" { default = "\\n" }', 'param "r" { default = 1, text = "a */ b" }',
    'param "r" { default = 1, text = 5 }', 'param "r" { default = 1, least = 1 }',
    'local a, b = param "r" { default = 1 }, param "R" { default = 1 }' } do
    refused(wrong:find("^local") and wrong or "local x = " .. wrong, "HG1012")
  end
end)
