-- Specs that are wrong: good ones and bad ones of the tests, of which parts are dropped, swapped, misspelled, retyped or
-- taken from each other.  Brackets stay in pairs, so that most get past the parser, to the rules behind it.
--
-- usage: wrong.lua SECONDS [SEED]          gives them to the generator's modules, under this interpreter, and fails at an
--                                          internal error: at what is no diagnostic, or one without words or place
--        wrong.lua --write DIR COUNT       writes the first so many to files, for the fuzzer and for halogen itself

local here = arg[0]:match("^(.*)/[^/]*$") or "."
package.path = ("%s/../../gen/lua/?.lua;%s/../lua/?.lua"):format(here, here)
source_root = here .. "/../.."

-- Where specs are to begin with: from good ones a change leads to rules that look at the whole.
local good = "tests/emit/specs/*.lua tests/cuda/specs/*.lua specs/*/*.lua"
local bad = "tests/errors/*.lua tests/fuzz/corpus/*"

-- One choice of a list.
local function any(list)
  return list[math.random(#list)]
end

-- ---- parts of a text ------------------------------------------------------------------------------------------------

local patterns = { { "space", "^%s+" }, { "space", "^%-%-[^\n]*" }, { "name", "^[%a_][%w_]*" }, { "string", '^"[^"\n]*"' },
  { "string", "^'[^'\n]*'" }, { "number", "^%d[%w.]*" }, { "symbol", "^%.%.%.?" }, { "symbol", "^[=~<>/:][=/:<>]" }, { "symbol", "^." } }

-- A text as a list of parts, { kind =, text = }.
local function split(text)
  local parts, at = {}, 1
  while at <= #text do
    for _, pattern in ipairs(patterns) do
      local first, last = text:find(pattern[2], at)
      if first then
        parts[#parts + 1] = { kind = pattern[1], text = text:sub(first, last) }
        at = last + 1
        break
      end
    end
  end
  return parts
end

local function text_of(parts, first, last)
  local out = {}
  for i = first or 1, last or #parts do out[#out + 1] = parts[i].text end
  return table.concat(out)
end

local keywords = { ["local"] = true, ["return"] = true, ["function"] = true, ["end"] = true, ["for"] = true, ["do"] = true, ["in"] = true,
  ["if"] = true, ["then"] = true }

local closing = { ["{"] = "}", ["("] = ")", ["["] = "]" }

-- The part behind `at`, which is no space.
local function behind(parts, at)
  repeat at = at + 1 until not parts[at] or parts[at].kind ~= "space"
  return at
end

-- The part that closes the bracket at `open`, or the last one.
local function close_of(parts, open)
  local depth = 0
  for i = open, #parts do
    if closing[parts[i].text] then depth = depth + 1 end
    if parts[i].text == "}" or parts[i].text == ")" or parts[i].text == "]" then depth = depth - 1 end
    if depth == 0 then return i end
  end
  return #parts
end

-- The entries of the table that opens at `open`: { first =, last = parts, key = part or nil, value = its first part }.
local function entries_of(parts, open)
  local out, at, stop = {}, behind(parts, open), close_of(parts, open)
  while at < stop do
    local entry = { first = at, last = at, value = at }
    local assigned = behind(parts, at)
    if parts[at].kind == "name" and parts[assigned] and parts[assigned].text == "=" then
      entry.key, entry.value = at, behind(parts, assigned)
    end
    while at < stop and parts[at].text ~= "," and parts[at].text ~= ";" do
      entry.last = at
      at = (closing[parts[at].text] and close_of(parts, at) or at) + 1
    end
    out[#out + 1] = entry
    at = behind(parts, at)
  end
  return out
end

local verbs = { cartesian = true, tiles = true, cubed_sphere = true, fold = true, index_list = true, field = true, fields = true,
  vector = true, struct = true, exchange = true, spec = true, include = true }

-- All that a change can be about: entries of tables, tables, numbers, strings, names, and calls of verbs.
local function find_all(parts)
  local found = { entries = {}, tables = {}, numbers = {}, strings = {}, names = {}, calls = {} }
  for i, part in ipairs(parts) do
    if part.text == "{" then
      found.tables[#found.tables + 1] = i
      for _, entry in ipairs(entries_of(parts, i)) do found.entries[#found.entries + 1] = entry end
    elseif verbs[part.text] then
      found.calls[#found.calls + 1] = i
    end
    local list = found[part.kind .. "s"]
    if list and not keywords[part.text] then list[#list + 1] = i end
  end
  return found
end

-- ---- changes --------------------------------------------------------------------------------------------------------

local values = { "0", "1", "-1", "2", "3", "64", "65", "1000", "1000001", "2147483648", "math.mininteger", "1.5", "2.0", "0/0", "1/0",
  '""', '"2"', '"x"', '"z"', '"xy"', '"xx"', '"double"', '"box"', '"lo"', '"both"', '"a b"', '"\\0"', '"é"', "true", "false", "nil",
  "nil, nil", "{}", "{ 1 }", "{ 1, 2 }", "{ {} }", '{ "x" }', '{ "x", "y" }', "{ x = 1 }", "{ y = { lo = 1 } }", "{ x = {} }", "{ lo = 1 }",
  '{ x = "low" }', '{ x = { hi = "zero" } }', "{ { 0, 1 } }", "{ { 1, 0, 0 } }", "{ nil, 1 }", "{ [1.5] = 1 }", "{ [true] = 1 }",
  "{ [{}] = 1 }", '{ [""] = 1 }', "{ [0] = 1 }", "{ 5, after = 1 }", '{ 2, "outermost" }', "error", "math", "field", 'field "new"',
  'field("new", {})', 'exchange "late" {}', 'vector "late" {}', 'cartesian { axes = "xy" }', "cartesian {}", "struct {}", "...",
  'struct { name = "s", header = "s.h", size = 8, align = 8 }', "function() end", "(function() return 1, 2 end)()", "(function() end)()" }

local words = { "axes", "fastest", "order", "periodic", "decomposed", "cells", "names", "connect", "along", "name", "header", "size",
  "align", "on", "type", "halo", "at", "padding", "components", "directions", "memory", "kind", "width", "stencil", "op", "boundary",
  "corners", "only", "agree", "version", "lo", "hi", "x", "y", "z", "side", "pivot", "after" }

local function misspelled(text)
  local at = math.random(#text)
  local letter = text:sub(at, at)
  return text:sub(1, at - 1) .. any { "", letter .. letter, letter:upper(), "x", "_", text:sub(at + 1, at + 1) .. letter }
    .. text:sub(at + 1)
end

-- Puts texts in place of parts; what they were is gone, and only the first one stands.
local function replace(parts, first, last, text)
  for i = first, last do parts[i] = { kind = "space", text = i == first and text or "" } end
end

local changes = {}

function changes.drop_entry(parts, found)
  local entry = any(found.entries)
  local comma = behind(parts, entry.last)
  replace(parts, entry.first, parts[comma] and parts[comma].text == "," and comma or entry.last, "")
end

function changes.swap_values(parts, found)
  local a, b = any(found.entries), any(found.entries)
  if a.last >= b.value and b.last >= a.value then return end
  local text_a, text_b = text_of(parts, a.value, a.last), text_of(parts, b.value, b.last)
  replace(parts, a.value, a.last, text_b)
  replace(parts, b.value, b.last, text_a)
end

function changes.take_value(parts, found, other)
  local a, b = any(found.entries), any(other.found.entries)
  replace(parts, a.value, a.last, text_of(other.parts, b.value, b.last))
end

-- A value of the same key, of another spec: of the right kind, and unlikely to fit.
function changes.take_like(parts, found, other)
  local a = any(found.entries)
  for _, b in ipairs(other.found.entries) do
    if a.key and b.key and parts[a.key].text == other.parts[b.key].text then
      return replace(parts, a.value, a.last, text_of(other.parts, b.value, b.last))
    end
  end
end

function changes.take_entry(parts, found, other)
  local a, b = any(found.entries), any(other.found.entries)
  replace(parts, a.first, a.last, text_of(parts, a.first, a.last) .. ", " .. text_of(other.parts, b.first, b.last))
end

function changes.retype(parts, found)
  local entry = any(found.entries)
  replace(parts, entry.value, entry.last, any(values))
end

function changes.add_key(parts, found)
  local open = any(found.tables)
  replace(parts, open, open, ("{ %s = %s, "):format(any(words), any(values)))
end

function changes.rename_key(parts, found)
  local entry = any(found.entries)
  if entry.key then parts[entry.key].text = any(words) end
end

function changes.repeat_entry(parts, found)
  local entry = any(found.entries)
  local text = text_of(parts, entry.first, entry.last)
  replace(parts, entry.first, entry.last, text .. ", " .. text)
end

function changes.wrap(parts, found)
  local entry = any(found.entries)
  replace(parts, entry.value, entry.last, "{ " .. text_of(parts, entry.value, entry.last) .. " }")
end

function changes.unwrap(parts, found)
  local open = any(found.tables)
  local close = close_of(parts, open)
  parts[open].text, parts[close].text = "", ""
end

function changes.replace_table(parts, found)
  local open = any(found.tables)
  replace(parts, open, close_of(parts, open), any { "{}", "()", "", "(nil)", "{ nil }", "{ {} }", any(values) })
end

function changes.misspell(parts, found)
  local list = any { found.names, found.names, found.strings }
  if #list > 0 then
    local part = parts[any(list)]
    part.text = misspelled(part.text)
  end
end

function changes.number(parts, found)
  if #found.numbers > 0 then
    local part = parts[any(found.numbers)]
    part.text = any { "0", "1", part.text .. "0", "-" .. part.text, "(" .. part.text .. " + 1)", '"' .. part.text .. '"', "65" }
  end
end

function changes.other_verb(parts, found)
  if #found.calls == 0 then return end
  local list = {}
  for verb in pairs(verbs) do list[#list + 1] = verb end
  table.sort(list)
  parts[any(found.calls)].text = any(list)
end

function changes.drop_name(parts, found)
  local at = #found.calls > 0 and behind(parts, any(found.calls))
  if at and parts[at] and parts[at].kind == "string" then replace(parts, at, at, any { "", "(nil)", "(5)", '""', '"u"' }) end
end

function changes.drop_line(parts)
  local first = math.random(#parts)
  while first > 1 and not parts[first - 1].text:find("\n", 1, true) do first = first - 1 end
  local last = first
  while parts[last] and not parts[last].text:find("\n", 1, true) do
    last = closing[parts[last].text] and close_of(parts, last) + 1 or last + 1
  end
  replace(parts, first, last - 1, "")
end

-- What stands before `return` goes, and what the tables behind it say of that.
function changes.only_return(parts, found)
  local at = #parts
  while at > 1 and parts[at].text ~= "return" do at = at - 1 end
  replace(parts, 1, at - 1, "")
  for _, entry in ipairs(found.entries) do
    if entry.first > at and not entry.key and parts[entry.first].kind == "name" and entry.first == entry.last then
      local comma = behind(parts, entry.last)
      replace(parts, entry.first, parts[comma].text == "," and comma or entry.last, "")
    end
  end
end

local kinds = {}
for kind in pairs(changes) do kinds[#kinds + 1] = kind end
table.sort(kinds)

-- ---- specs ----------------------------------------------------------------------------------------------------------

local function read(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read("a")
  file:close()
  return text
end

-- The specs of some directories, by name, that include nothing.
local function read_all(directories)
  local all = {}
  local list = assert(io.popen(("cd '%s' && LC_ALL=C ls %s"):format(source_root, directories)))
  for path in list:lines() do
    local text = read(source_root .. "/" .. path)
    local parts = split(text)
    local found = find_all(parts)
    if #text <= 4000 and #found.entries > 0 and not text:find("include", 1, true) then
      all[#all + 1] = { path = path, text = text, parts = parts, found = found }
    end
  end
  list:close()
  return all
end

local starts = { read_all(good), read_all(bad) }

-- A spec with one to three changes; the second result names them.
local function wrong_spec()
  local all = any(starts)
  local from = any(all)
  local text, said = from.text, { from.path }
  for _ = 1, any { 1, 1, 2, 3 } do
    local parts = split(text)
    local found = find_all(parts)
    if #found.entries == 0 then break end
    local kind = any(kinds)
    changes[kind](parts, found, any(all))
    text, said[#said + 1] = text_of(parts), kind
  end
  return text, table.concat(said, ", ")
end

-- ---- runs -----------------------------------------------------------------------------------------------------------

local stand_in = require "stand_in"
local steps_most = 3000000

-- What ends a spec that runs for long, wherever.
local too_long = {}

-- Nil, or why a diagnostic is none that a user could be shown.
local function fault_of(d, lines)
  if type(d.code) ~= "string" or type(d.message) ~= "string" or d.message == "" then return "a diagnostic without words" end
  if not d.line then return not d.file and "a diagnostic without a place: " .. d.message or nil end
  local line, col, length = lines[d.line], d.col or 1, d.length or 1
  if not line or col < 1 or length < 0 or col + length - 1 > #line + 1 then
    return ("a diagnostic at %d:%d, %d long, where nothing is: %s"):format(d.line, col, length, d.message)
  end
end

local function lines_of(text)
  local out = {}
  for line in (text .. "\n"):gmatch("([^\r\n]*)\r?\n") do out[#out + 1] = line end
  return out
end

-- Runs the generator on a text: how it ends, "good", "refused" or "long"; or nil and what is wrong with halogen.
local function try(main, text)
  local host = stand_in.install({ ["test.lua"] = text }, { emit = { c = true, check = true } })
  local steps = 0
  debug.sethook(function()
    steps = steps + 10000
    if steps > steps_most then error(too_long, 0) end
  end, "", 10000)
  local fine, problem = xpcall(main, function(message)
    return message == too_long and message or debug.traceback(tostring(message))
  end)
  debug.sethook()
  if steps > steps_most then return "long" end
  if not fine then return nil, problem end
  local lines, refused = lines_of(text), false
  for _, d in ipairs(host.reports) do
    refused = refused or d.severity == "error"
    local fault = fault_of(d, lines)
    if fault then return nil, fault end
  end
  if not refused and not next(host.outputs) then return nil, "neither an output nor an error" end
  return refused and "refused" or "good", nil, host.reports
end

local function count_codes(codes, reports)
  for _, d in ipairs(reports or {}) do codes[d.code] = (codes[d.code] or 0) + 1 end
end

local function run(seconds, seed)
  local ends, codes, tries = { good = 0, refused = 0, long = 0 }, {}, 0
  local main = assert(loadfile(source_root .. "/gen/lua/main.lua"))
  math.randomseed(seed)
  while os.clock() < seconds do
    local text, said = wrong_spec()
    local ended, fault, reports = try(main, text)
    tries = tries + 1
    if not ended then
      print(("FAILED spec %d of seed %d (%s): %s\n%s"):format(tries, seed, said, fault, text))
      os.exit(1)
    end
    ends[ended] = ends[ended] + 1
    count_codes(codes, reports)
  end
  local count = 0
  for _ in pairs(codes) do count = count + 1 end
  print(("seed %d: %d specs; %d refused, by %d codes of diagnostics; %d are good, and %d take long"):format(seed, tries,
    ends.refused, count, ends.good, ends.long))
end

local function write(directory, count)
  math.randomseed(1)
  for i = 1, count do
    local file = assert(io.open(("%s/%05d.lua"):format(directory, i), "wb"))
    file:write((wrong_spec()))
    file:close()
  end
end

if arg[1] == "--write" then
  write(arg[2], tonumber(arg[3]))
else
  run(tonumber(arg[1]), math.tointeger(arg[2] or os.time()))
end
