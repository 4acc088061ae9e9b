-- The annotations for editors are whole, and say of specs what halogen says of them.
--
-- usage: lua5.4 check.lua ANNOTATIONS SOURCE_ROOT
--
-- 1. The file loads as Lua and does nothing.  Each name in a type is defined, each definition is used.
-- 2. Each verb of the documents is declared, and each key that halogen knows.
-- 3. Good specs of the tree fit.  Of those that halogen refuses for a key, a word or a kind of value, all but two do not.
-- 4. Each key takes the kinds of values that halogen takes, and no others.

local path, root = table.unpack(arg)
package.path = ("%s/tests/editor/?.lua;%s/tests/lua/?.lua;%s/gen/lua/?.lua;"):format(root, root, root) .. package.path

source_root = root -- for the modules of tests/lua

local annotations = require "annotations"
local walk = require "walk"

local passed, failed = 0, 0

local function expect(right, ...)
  passed, failed = passed + (right and 1 or 0), failed + (right and 0 or 1)
  if not right then print("FAIL " .. string.format(...)) end
  return right
end

local all = annotations.read(path)

-- ---- the file -----------------------------------------------------------------------------------------------------

local function check_file()
  local environment = {}
  local chunk, message = loadfile(path, "t", environment)
  if not expect(chunk, "%s", message) then return end
  chunk()
  for name, value in pairs(environment) do
    expect(all.functions[name] and type(value) == "function", "%s is declared without annotations", name)
  end
  for name in pairs(all.functions) do expect(environment[name], "%s has annotations and no function", name) end

  local used = {}
  local function use(name, where)
    expect(all.names[name], "%s: %s is not defined", where, name)
    used[name] = true
  end
  for name, named in pairs(all.names) do
    for key, field in pairs(named.fields or {}) do
      annotations.each_name(field.type, function(other) use(other, name .. "." .. tostring(key)) end)
      expect(field.comment:find "^[%u%d`].*%.$", "%s.%s: its text is no sentence: %s", name, key, field.comment)
    end
    expect(named.kind == "class" or #named.words > 0, "%s has no words", name)
  end
  for name, declared in pairs(all.functions) do
    for _, param in ipairs(declared.params) do annotations.each_name(param.type, function(other) use(other, name) end) end
    annotations.each_name(declared.returned, function(other) use(other, name) end)
    expect(declared.comment and declared.comment:find "%.\n\n```lua\n.*```\n$", "%s has no text with an example", name)
  end
  for name in pairs(all.names) do expect(used[name], "%s is used nowhere", name) end
end

-- ---- verbs and keys -----------------------------------------------------------------------------------------------

-- The class of a verb's table, or nil.
local function table_of(declared)
  local t = declared.returned.kind == "function" and declared.returned.params[1] or declared.params[1].type
  return all.names[t.name]
end

local specs = require "specs"

-- What halogen says of a spec: { { code =, message =, help = }, … }.
local function said_of(text)
  local _, reports = specs.read(text)
  return reports
end

local around = {
  field = 'local u = field "u" %s return spec "test" { exchange "e" { u } }',
  fields = 'local u = fields %s return spec "test" { exchange "e" { u } }',
  vector = 'local u, v = fields { "u", "v", on = cartesian { axes = "xy" }, type = "double", halo = 1 } local w = vector "w" %s '
    .. 'return spec "test" { exchange "e" { u, v } }',
  struct = 'local s = struct %s local u = field "u" { on = cartesian { axes = "xy" }, type = s, halo = 1 } '
    .. 'return spec "test" { exchange "e" { u } }',
  exchange = 'local u = field "u" { on = cartesian { axes = "xy" }, type = "double", halo = 1 } '
    .. 'return spec "test" { exchange "e" %s }',
  cycle = 'local u = field "u" { on = cartesian { axes = "xy" }, type = "double", halo = 1 } local e = exchange "e" { u } '
    .. 'return spec "test" { e, cycle "c" %s }',
  step = 'local u = field "u" { on = cartesian { axes = "xy" }, type = "double", halo = 1 } local e = exchange "e" { u } '
    .. 'return spec "test" { e, cycle "c" { exchange = e, step "s" %s } }',
  spec = 'local u = field "u" { on = cartesian { axes = "xy" }, type = "double", halo = 1 } local e = exchange "e" { u } '
    .. 'return spec "test" %s',
  param = 'local p = param "p" %s local u = field "u" { on = cartesian { axes = "xy" }, type = "double", halo = 1 } '
    .. 'return spec "test" { exchange "e" { u } }',
}
for _, grid in ipairs { "cartesian", "tiles", "cubed_sphere", "fold", "index_list" } do
  around[grid] = 'local u = field "u" { on = ' .. grid .. ' %s, type = "double", halo = 1 } return spec "test" { exchange "e" { u } }'
end

-- A word that is like no key, so that halogen lists all of them.
local strange = "qqqqqqqqqqqqqqqqqq"

local function check_keys(name, class)
  local listed
  for _, report in ipairs(said_of(around[name]:format("{ " .. strange .. " = 1 }"))) do
    if report.message:find(strange, 1, true) then listed = report.help end
  end
  if not expect(listed, "%s: halogen does not list its keys", name) then return end
  local known = {}
  for key in listed:gsub('"', ""):gsub("^keys: ", ""):gsub("^one of ", ""):gmatch("[%w_]+") do known[key] = true end
  for key in pairs(known) do expect(class.fields[key], "%s: key %s has no annotation", name, key) end
  for key in pairs(class.fields) do
    expect(key == "integer" or known[key], "%s: halogen knows no key %s", name, key)
  end
end

local function check_verbs()
  local documents = 0
  for line in io.lines(root .. "/docs/spec-language.md") do
    if line:find "^### `" then
      for name in line:gmatch "`([%a_]+)`" do
        documents = documents + 1
        expect(all.functions[name], "%s is in the documents, and has no annotations", name)
      end
    end
  end
  expect(documents >= 13, "the documents have only %d verbs", documents)
  for name, declared in pairs(all.functions) do
    local class = table_of(declared)
    if class then check_keys(name, class) end
  end
end

-- ---- specs of the tree --------------------------------------------------------------------------------------------

local function files(command)
  local out = {}
  local list <close> = assert(io.popen(("cd '%s' && %s | LC_ALL=C sort"):format(root, command)))
  for line in list:lines() do out[#out + 1] = root .. "/" .. line end
  return out
end

-- Bad for an editor, too: an unknown key, a wrong kind of value, a key that is missing, a key of another version, an unknown word.
local seen_by_editors = { HG1101 = true, HG1102 = true, HG1103 = true, HG1104 = true, HG1105 = true }

-- These types are beyond annotations: a list that is not empty, and one without gaps.
local fit_for_editors = { directions_empty = true, exchange_gap = true }

local function check_specs()
  local good = files "grep -rlE '^return spec|^  *return spec' --include=*.lua specs tests/exchange/specs tests/bench/specs tests/emit/specs tests/cuda/specs"
  for _, file in ipairs(good) do
    local fine, message = pcall(walk.run, all, file)
    expect(fine, "%s is a good spec: %s", file, message)
  end
  expect(#good > 70, "only %d specs are found", #good)

  local bad = 0
  for _, file in ipairs(files "ls tests/errors/*.lua") do
    local said <close> = assert(io.open((file:gsub("lua$", "txt"))))
    local code = said:read("a"):match "error: [^\n]* %[(HG%d+)%]"
    if seen_by_editors[code] then
      bad = bad + 1
      local fits, name = pcall(walk.run, all, file), file:match "([^/]+)%.lua$"
      expect(fits == (fit_for_editors[name] == true), "%s %s, and halogen says %s", file, fits and "fits" or "does not fit", code)
    end
  end
  expect(bad > 90, "only %d bad specs are found", bad)
  print(("%d good specs fit; %d bad ones do not"):format(#good, bad))
end

-- ---- kinds of values ----------------------------------------------------------------------------------------------

-- What a table needs besides the key in question, and where that is another than for its verb.
local base = {
  cartesian = { axes = '"xy"' }, cubed_sphere = { axes = '"xy"' }, index_list = { axes = '{ "x" }' },
  tiles = { axes = '"xy"', names = '{ "a" }' }, fold = { axes = '"xy"', side = '"+y"', pivot = '"corner"' },
  field = { on = 'cartesian { axes = "xy" }', type = '"double"', halo = "1" }, vector = { "u", "v" },
  struct = { name = '"cell"', header = '"cell.h"', size = "8", align = "8" }, exchange = { "u" }, spec = { "e" },
  param = { default = "9.5" },
  cycle = { 'step "s" { writes = { "u" } }', exchange = "e" }, step = { writes = '{ "u" }' },
  ["exchange.agree"] = { "u", only = '"shared"' }, ["exchange.ghosts"] = { "u", op = '"add"' },
  ["param.values"] = { default = '"a"' }, ["param.max"] = { default = "1.5" },
}
base.fields = { '"u"', on = base.field.on, type = base.field.type, halo = "1" }

-- One value of each kind, as text and as what an editor takes it for.
local samples = {
  { "7", 7 }, { "2.5", 2.5 }, { "true", true }, { '"x"', "x" }, { "{}", {} },
  { 'cartesian { axes = "x" }', annotations.handle "halogen.grid" }, { 'exchange "f" {}', annotations.handle "halogen.exchange" },
  { 'struct { name = "s", header = "s.h", size = 8, align = 8 }', annotations.handle "halogen.struct" },
}

-- Where one of these has to look like something.
local special = { ["fold.axes"] = { '"xy"', "xy", instead = '"x"' }, ["fold.side"] = { '"+y"', "+y", instead = '"x"' },
  ["param.values"] = { '{ "a" }', { "a" }, instead = "{}" } }

local function takes_tables(t)
  if t.kind == "union" then
    for _, one in ipairs(t) do
      if takes_tables(one) then return true end
    end
    return false
  end
  local named = t.kind == "name" and all.names[t.name]
  return t.kind == "list" or t.kind == "map" or (named and named.kind == "class" and #named.order > 0) == true
end

local function text_of(entries)
  local out = {}
  for _, value in ipairs(entries) do out[#out + 1] = value end
  for key, value in pairs(entries) do
    if type(key) == "string" then out[#out + 1] = key .. " = " .. value end
  end
  return "{ " .. table.concat(out, ", ") .. " }"
end

-- Does halogen refuse the kind of the value, or the word?
local function refuses(name, key, value)
  local entries = {}
  for other, text in pairs(base[name .. "." .. key] or base[name]) do entries[other] = text end
  entries[key] = value
  for _, report in ipairs(said_of(around[name]:format(text_of(entries)))) do
    if report.code == "HG1105" or report.code == "HG1401" or report.code == "HG1310" or report.code == "HG1012"
      or report.code == "HG1102" and report.message:find("^" .. key .. " must be ") then
      return report.message, report.help
    end
  end
end

-- The words that a type lists are those that halogen lists for a word that is like none.  Types of points are listed nowhere.
local function check_words(name, key, t)
  for _, one in ipairs(t.kind == "union" and t or { t }) do
    local alias = one.kind == "name" and all.names[one.name]
    if alias and alias.kind == "alias" and one.name ~= "halogen.type" then
      local _, help = refuses(name, key, ('"%s"'):format(strange))
      local listed = (help or ""):gsub("^one of ", ""):gsub('"', "")
      local wanted = table.concat(alias.words, ", ")
      expect(listed == wanted or name == "param", "%s.%s: halogen has the words %s, and not %s", name, key, listed, wanted)
    end
  end
end

local function check_kinds()
  local tried = 0
  for name, declared in pairs(all.functions) do
    local class = table_of(declared)
    for _, key in ipairs(class and class.order or {}) do
      if key ~= "integer" then check_words(name, key, class.fields[key].type) end
      for _, sample in ipairs(key ~= "integer" and samples or {}) do
        local other = special[name .. "." .. key]
        if other and sample[1] == other.instead then sample = other end
        local text, value = table.unpack(sample)
        local wanted = class.fields[key].type
        local fits = not annotations.misfit(all, wanted, value)
        if type(value) == "table" and getmetatable(value) == nil then fits = takes_tables(wanted) end
        local message = refuses(name, key, text)
        tried = tried + 1
        expect(fits == not message, "%s: %s = %s %s an editor, but halogen says: %s", name, key, text,
          fits and "is right for" or "is wrong for", message or "nothing")
      end
    end
  end
  print(tried .. " values of keys are judged alike by halogen and by editors")
end

check_file()
check_verbs()
check_specs()
check_kinds()
print(("%d passed, %d failed"):format(passed, failed))
os.exit(failed == 0)
