-- What a spec can see: a few harmless functions of Lua, and the verbs.
--
-- Nothing here can read a clock, an address, an environment or a file, run for long inside one call of C, or catch an
-- error; so a spec means the same on every machine and ends.  Names that are left out say why when they are used.
-- While a spec runs, methods of strings come from the list below, too: modules that run meanwhile (nodes, spec, this
-- one) call string.find(s, …), not s:find(…).

local nodes = require "language.nodes"
local ordered = require "base.ordered"
local report = require "base.report"

local sandbox = {}

local unsafe = "a spec is evaluated in a closed room"
local reading = 'the only way in is include "file"'
local patterns = "patterns can run forever; compare whole strings, or take them apart with sub and byte"

-- Names that exist in Lua and not in a spec, and what to say about them.
local left_out = {
  load = unsafe, loadstring = unsafe, loadfile = reading, dofile = reading, require = reading,
  io = reading, os = "a spec depends on nothing but its text", debug = unsafe, package = reading,
  pcall = "errors in a spec end it", xpcall = "errors in a spec end it",
  print = "halogen --dump model prints what a spec makes",
  warn = "halogen --dump model prints what a spec makes",
  coroutine = unsafe, collectgarbage = unsafe, setmetatable = unsafe, getmetatable = unsafe,
  rawget = unsafe, rawset = unsafe, rawequal = unsafe, rawlen = unsafe,
  next = "use pairs, whose order is always the same",
  _G = unsafe, _VERSION = unsafe,
  ["string.find"] = patterns, ["string.match"] = patterns, ["string.gmatch"] = patterns, ["string.gsub"] = patterns,
  ["string.dump"] = unsafe, ["string.pack"] = unsafe, ["string.unpack"] = unsafe, ["string.packsize"] = unsafe,
  ["math.random"] = "a spec means the same every time", ["math.randomseed"] = "a spec means the same every time",
}

local function visible(value)
  if type(value) == "table" or type(value) == "function" then
    return nodes.describe(value)
  end
  return tostring(value)
end

-- string.format without addresses.
local function format(pattern, ...)
  if type(pattern) == "string" and string.find(pattern, "%%[-#0 +%d.]*p") then
    nodes.fail("HG1008", "string.format cannot show addresses (%p) in a spec")
  end
  local values = table.pack(...)
  for i = 1, values.n do
    if type(values[i]) == "table" or type(values[i]) == "function" then
      values[i] = visible(values[i])
    end
  end
  return string.format(pattern, table.unpack(values, 1, values.n))
end

-- Two functions of C could run for hours in one step of Lua, which the limit on steps would not notice.

local function rep(text, count, separator)
  if text == "" and (separator or "") == "" then return "" end
  return string.rep(text, count, separator)
end

local most_moved = 1000000

local function move(from, first, last, ...)
  local lo, hi = math.tointeger(tonumber(first)), math.tointeger(tonumber(last))
  if lo and hi and lo <= hi and not math.ult(hi - lo, most_moved) then
    nodes.fail("HG1002", string.format("table.move moves at most %d entries", most_moved), nil, ".move")
  end
  return table.move(from, first, last, ...)
end

local function need_table(name, value)
  if not nodes.is_table(value) then
    nodes.fail("HG1002", name .. " needs a table, not " .. nodes.describe(value))
  end
end

local function spec_pairs(t)
  need_table("pairs", t)
  local _, strange = ordered.keys(t)
  if strange then
    nodes.fail("HG1002", string.format("pairs: keys of kind %s have no order", strange), "use strings or numbers as keys")
  end
  return ordered.pairs(t)
end

local function sort(list, less)
  need_table("table.sort", list)
  for _, value in ipairs(less and {} or list) do
    if type(value) ~= type(list[1]) or type(value) ~= "number" and type(value) ~= "string" then
      nodes.fail("HG1002", "table.sort needs numbers or strings, or a function that says which comes first")
    end
  end
  ordered.sort(list, less)
end

-- A table that shows what `known` has, and calls `unknown` for other keys and `change` for what is assigned.
local function shown(known, unknown, change)
  return setmetatable({}, {
    __metatable = false, __index = setmetatable(known, { __index = unknown }), __newindex = change,
  })
end

-- Some entries of a library, or the replacements for them; other names are refused.
local function library(name, source, list, replacements)
  local copy = {}
  for _, entry in ipairs(list) do
    copy[entry] = replacements[entry] or source[entry]
  end
  local function refuse(_, key)
    local full = name .. "." .. visible(key)
    if left_out[full] then
      nodes.fail("HG1008", full .. " is not available in a spec", left_out[full], "." .. visible(key))
    end
    nodes.fail("HG1003", "there is no " .. full, report.did_you_mean(visible(key), list), "." .. visible(key),
      report.nearest(visible(key), list))
  end
  local function refuse_change(_, key)
    nodes.fail("HG1004", string.format("%s.%s cannot be changed", name, visible(key)), "write a local function",
      "." .. visible(key))
  end
  return shown(copy, refuse, refuse_change)
end

local function libraries()
  return {
    string = library("string", string, { "byte", "char", "format", "len", "lower", "rep", "reverse", "sub", "upper" },
      { format = format, rep = rep }),
    table = library("table", table, { "concat", "insert", "move", "pack", "remove", "sort", "unpack" }, { move = move, sort = sort }),
    math = library("math", math, { "abs", "acos", "asin", "atan", "ceil", "cos", "deg", "exp", "floor", "fmod", "huge",
      "log", "max", "maxinteger", "min", "mininteger", "modf", "pi", "rad", "sin", "sqrt", "tan", "tointeger", "type",
      "ult" }, {}),
    utf8 = library("utf8", utf8, { "char", "charpattern", "codepoint", "codes", "len", "offset" }, {}),
  }
end

-- What to write instead of an unknown name is found when the spec has ended: see instead_of() in spec.lua.
local function refuse_unknown(_, key)
  local name = visible(key)
  if left_out[name] then
    nodes.fail("HG1008", name .. " is not available in a spec", left_out[name], name)
  end
  nodes.fail("HG1003", "unknown name " .. name, nil, name)
end

local function refuse_global(_, key)
  local name = visible(key)
  nodes.fail("HG1004", string.format("a spec sets no globals, and %s would be one", name),
    string.format("write local %s = …", name), name)
end

-- A new environment with the given verbs, whose string library is what strings get their methods from, and a table of
-- all that it shows.
function sandbox.environment(verbs)
  local known = libraries()
  local base = { assert = assert, error = error, ipairs = ipairs, pairs = spec_pairs, select = select,
    tonumber = tonumber, tostring = visible, type = type }
  for _, source in ipairs { base, verbs } do
    for name, value in ordered.pairs(source) do
      known[name] = value
    end
  end
  return shown(known, refuse_unknown, refuse_global), known
end

-- Runs f with strings whose methods are those of `library`; f must not raise errors.
function sandbox.with_methods(library, f)
  local methods = getmetatable("")
  local own = methods.__index
  methods.__index = library
  f()
  methods.__index = own
end

return sandbox
