-- Makes a random spec that fails smaller for as long as it fails, and prints what is left:
--
--   lua5.4 shrink.lua SETTINGS SEED NUMBER RANKS [SECONDS]
--
-- SETTINGS: the file that the build wrote, BUILD/tests/random/settings.  SECONDS: when to be content (600 unless given).

local here = arg[0]:match("^(.*)/[^/]*$") or "."
package.path = here .. "/?.lua"

local connected = require "connected"
local model = require "model"
local write = require "write"

local settings, seed, number, ranks = arg[1], math.tointeger(arg[2]), math.tointeger(arg[3]), arg[4]
local deadline = os.time() + (tonumber(arg[5]) or 600)

-- ---- trying a model -------------------------------------------------------------------------------------------------

local function output_of(command)
  local pipe <close> = assert(io.popen(command .. " 2>&1"))
  local text = pipe:read("a")
  return text, (pipe:close())
end

local function quoted(text)
  return "'" .. text:gsub("'", "'\\''") .. "'"
end

local function shell(...)
  local words = {}
  for i, word in ipairs { ... } do words[i] = quoted(tostring(word)) end
  return output_of(table.concat(words, " "))
end

local directory = output_of("mktemp -d"):gsub("%s+$", "")

local function setting(name)
  for line in io.lines(settings) do
    local value = line:match("^" .. name .. "='(.*)'$")
    if value then return value end
  end
end

local halogen = setting "halogen"
model.language.half_adds = setting "half" ~= "0"

local function save(path, text)
  local file <close> = assert(io.open(path, "w"))
  assert(file:write(text))
end

-- Whether the test of a model fails, and what it says; nil for models that halogen refuses.
local function fails(m)
  local spec = ("%s/%s.lua"):format(directory, m.name)
  save(spec, write.spec(m))
  save(directory .. "/tables.c", write.tables { m })
  local text, fine = shell(halogen, spec, "-o", directory)
  if not fine then return nil, text end
  text, fine = shell(here .. "/compile.sh", settings, directory)
  if not fine then return true, text end
  text, fine = shell("env", "LIMIT=100", here .. "/../mpirun.sh", ranks, directory .. "/random")
  return not fine, text
end

-- ---- smaller models -------------------------------------------------------------------------------------------------

local function copy(value)
  if type(value) ~= "table" then return value end
  local out = {}
  for key, entry in pairs(value) do out[key] = copy(entry) end
  return out
end

local function drop_exchange(m, x)
  table.remove(m.exchanges, x)
  for _, exchange in ipairs(m.exchanges) do
    local other = exchange.transpose
    if other then exchange.transpose = other > x and other - 1 or other < x and other or nil end
  end
end

local function dissolve(m)
  m.vectors = {}
  for _, field in ipairs(m.fields) do field.vector, field.normal = nil, nil end
end

local function drop_field(m, f)
  if m.fields[f].vector then dissolve(m) end
  table.remove(m.fields, f)
  for _, vector in ipairs(m.vectors) do
    for i, n in ipairs(vector.fields) do vector.fields[i] = n > f and n - 1 or n end
  end
  for x = #m.exchanges, 1, -1 do
    local kept = {}
    for _, n in ipairs(m.exchanges[x].fields) do
      if n ~= f then kept[#kept + 1] = n > f and n - 1 or n end
    end
    m.exchanges[x].fields = kept
    if #kept == 0 then drop_exchange(m, x) end
  end
end

local function leave_out_axis(order, axis)
  local kept = {}
  for _, a in ipairs(order) do
    if a ~= axis then kept[#kept + 1] = a > axis and a - 1 or a end
  end
  return kept
end

local function drop_axis(m, axis)
  table.remove(m.axes, axis)
  m.order = leave_out_axis(m.order, axis)
  dissolve(m)
  local function drop(list)
    if list and list[axis] ~= nil then table.remove(list, axis) end
  end
  for _, field in ipairs(m.fields) do
    field.order = field.order and leave_out_axis(field.order, axis)
    field.place = field.place and math.min(field.place, #m.axes)
    for _, list in ipairs { field.halo.lo, field.halo.hi, field.at or {}, field.padding or {} } do drop(list) end
    for _, e in ipairs(field.directions or {}) do drop(e) end
  end
  for _, exchange in ipairs(m.exchanges) do
    exchange.widths = nil
    if exchange.width then
      drop(exchange.width.lo)
      drop(exchange.width.hi)
    end
    drop(exchange.fills)
    if type(exchange.stencil) == "table" then exchange.stencil = "box" end
  end
end

-- Two sides become walls.
local function disconnect(m, number)
  local c = table.remove(m.grid.list, number)
  m.grid.sides[c[1]][c[2]][c[3]] = nil
  m.grid.sides[c[4]][c[5]][c[6]] = nil
end

-- Calls visit(what, change) for every way to make a model smaller; change works on a copy.
local function each_reduction(m, visit)
  for x = 1, #m.exchanges do
    visit("exchange dropped", function(n) drop_exchange(n, x) end)
  end
  for f = 1, #m.fields do visit("field dropped", function(n) drop_field(n, f) end) end
  for a = 1, #m.axes > 1 and not m.grid and #m.axes or 0 do visit("axis dropped", function(n) drop_axis(n, a) end) end
  if #m.vectors > 0 then visit("vector dropped", dissolve) end
  local function without(list, i, key, value)
    if m[list][i][key] ~= value then visit(key .. " dropped", function(n) n[list][i][key] = value end) end
  end
  for x, exchange in ipairs(m.exchanges) do
    for _, key in ipairs { "width", "widths", "fills" } do without("exchanges", x, key, nil) end
    without("exchanges", x, "stencil", "box")
    if exchange.transpose then
      visit("transpose dropped", function(n)
        n.exchanges[exchange.transpose].transpose, n.exchanges[x].transpose = nil, nil
      end)
    elseif exchange.add then
      without("exchanges", x, "extreme", nil)
      if not exchange.extreme then without("exchanges", x, "keeps", nil) end
      if not exchange.keeps then without("exchanges", x, "add", nil) end
    end
  end
  for f, field in ipairs(m.fields) do
    for _, key in ipairs { "order", "at", "padding" } do without("fields", f, key, nil) end
    if field.directions then
      without("fields", f, "directions", nil)
    elseif field.components then
      visit("components dropped", function(n) n.fields[f].components, n.fields[f].place = nil, nil end)
      if field.components > 2 then without("fields", f, "components", 2) end
    end
    if not field.vector and not field.wire then without("fields", f, "type", model.plain_type) end
  end
  if m.first_fastest then visit("blocks dropped", function(n) n.first_fastest = false end) end
  for a in ipairs(m.axes) do
    without("axes", a, "cells", nil)
    without("axes", a, "decomposed", true)
    if not m.grid then without("axes", a, "periodic", false) end
  end
  for number = 1, m.grid and m.grid.kind == "tiles" and #m.grid.list or 0 do
    visit("connection dropped", function(n) disconnect(n, number) end)
  end
  local function fewer(get)
    for _, side in ipairs { "lo", "hi" } do
      for a = 1, #m.axes do
        local layers = get(m)[side][a]
        for _, less in ipairs(layers > 1 and { 0, layers - 1 } or layers > 0 and { 0 } or {}) do
          visit("layers dropped", function(n) get(n)[side][a] = less end)
        end
      end
    end
  end
  for f, field in ipairs(m.fields) do
    if field.wire and not field.vector then visit("numbers as they are", function(n) n.fields[f].wire = nil end) end
    if field.behind then visit("halo around owned points", function(n) n.fields[f].behind = nil end) end
    fewer(function(n) return n.fields[f].halo end)
  end
  for x, exchange in ipairs(m.exchanges) do
    if exchange.width then fewer(function(n) return n.exchanges[x].width end) end
  end
end

local function is_sound(m)
  if #m.exchanges == 0 or #m.fields == 0 then return false end
  for _, exchange in ipairs(m.exchanges) do
    if not model.exchange_is_sound(m, exchange) then return false end
  end
  for _, field in ipairs(m.fields) do
    if m.grid and not connected.can_have(m, field) then return false end
  end
  return true
end

-- The first smaller model that still fails, and what it says.
local function smaller(m)
  local found, said
  each_reduction(m, function(_, change)
    if found or os.time() >= deadline then return end
    local n = copy(m)
    change(n)
    if is_sound(n) then
      local failed, text = fails(n)
      if failed then found, said = n, text end
    end
  end)
  return found, said
end

-- ---- the way down ---------------------------------------------------------------------------------------------------

local m = model.random(seed, number)
local failed, said = fails(m)
if failed then
  local steps = 0
  repeat
    local n, text = smaller(m)
    if n then m, said, steps = n, text, steps + 1 end
  until not n
  print(("\nspec %d of seed %d, on %s rank%s, %d step%s smaller%s:\n"):format(number, seed, ranks,
    ranks == "1" and "" or "s", steps, steps == 1 and "" or "s", os.time() >= deadline and " (time is up)" or ""))
  print(write.spec(m))
  print(said:sub(1, 2000))
else
  print(("spec %d of seed %d does not fail on %s ranks: %s"):format(number, seed, ranks, said))
end
os.execute("rm -rf " .. quoted(directory))
os.exit(not failed)
