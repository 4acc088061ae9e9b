-- Reads the tables that a spec gave to its verbs: kinds of values, unknown keys, axes, layers.
--
-- Every function reports what is wrong at its place in the spec and returns nil then.  Whether values make sense
-- together is not its business, but check.lua's.

local fixes = require "base.fixes"
local locate = require "base.locate"
local nodes = require "language.nodes"
local ordered = require "base.ordered"
local report = require "base.report"

local read = {}

local quote = report.quote

-- Places: of a node, of a key in its table, of a value in its table.
function read.where(node)
  if node.member then return locate.value(node.site, node.member) end
  return locate.name(node.site)
end

function read.key(node, ...)
  return locate.key(node.site, ...)
end

function read.value(node, ...)
  return locate.value(node.site, ...)
end

-- `field "p"`, `the grid`
function read.title(node)
  if node.kind == "grid" then return "the grid" end
  if node.alike then return "these fields" end
  return type(node.name) == "string" and node.kind .. " " .. quote(node.name) or nodes.article(node.kind)
end

local function wrong_kind(node, path, expected, value, help, fix)
  local where = #path > 0 and read.value(node, table.unpack(path)) or read.where(node)
  report.error("HG1102", where, ("%s must be %s, not %s"):format(
    #path > 0 and table.concat(path, ".") or read.title(node), expected, nodes.describe(value)), help, nil, fix)
end
read.wrong_kind = wrong_kind

-- What to write, by kind.
read.examples = {
  field = 'field "p" { on = grid, type = "double", halo = 1 }',
  fields = 'fields { "u", "v", on = grid, type = "double", halo = 1 }',
  vector = 'vector "wind" { u, v }',
  struct = 'struct { name = "cell", header = "cell.h", size = 24, align = 8 }',
  exchange = 'exchange "pressure" { p }',
  spec = 'spec "name" { exchange "pressure" { p } }',
}

-- The name that a node was given; nil after reporting.
function read.name(node)
  if type(node.name) == "string" then return node.name end
  local example = read.examples[node.member and "fields" or node.kind]
  report.error("HG1102", read.where(node), ("the name of %s must be a string, not %s"):format(
    nodes.article(node.kind), nodes.describe(node.name)), "write " .. example)
end

-- True if the node has a table.  example: what to write, which gets the node's name.
function read.has_table(node, example)
  if type(node.name) == "string" then example = example:gsub('%b""', (quote(node.name):gsub("%%", "%%%%")), 1) end
  if not node.complete then
    local title = read.title(node)
    report.error("HG1103", read.where(node), "no table is given for " .. title,
      "write " .. (node.extra and title .. " { … }, without parentheses and comma" or example))
    return false
  end
  if not nodes.is_table(node.entries) then
    wrong_kind(node, {}, "given as a table", node.entries, "write " .. example)
    return false
  end
  return true
end

-- Reports that a key is not given, unless an unknown key that has been reported is likely to mean it.
function read.missing(node, key, message, help)
  if not node.meant[key] then report.error("HG1103", read.where(node), message, help) end
end

local function unknown_key(node, key, allowed)
  local where, message = read.key(node, key), ("unknown key %s in %s"):format(quote(key), read.title(node))
  report.unknown("HG1101", where, message, key, allowed)
end

-- Reports keys other than those allowed, and keeps in node.meant which of these they are likely to mean.  later: keys of
-- later versions.  list: whether values without keys may stand in the table.
function read.keys(node, allowed, later, list)
  local keys, strange = ordered.keys(node.entries)
  if strange then
    report.error("HG1102", read.where(node), ("a key of %s is %s"):format(read.title(node), nodes.article(strange)),
      "write names as keys")
  end
  local known = {}
  node.meant = {}
  for _, key in ipairs(allowed) do known[key] = true end
  for _, key in ipairs(keys) do
    if later[key] then
      report.error("HG1104", read.key(node, key), ("%q is not in this version of halogen"):format(key), later[key])
    elseif type(key) == "string" and not known[key] then
      unknown_key(node, key, allowed)
      node.meant[report.nearest(key, allowed) or key] = true
    elseif type(key) ~= "string" and not (list and math.type(key) == "integer" and key >= 1) then
      report.error("HG1102", read.value(node, key), ("%s takes no value without a key, and this is %s"):format(
        read.title(node), nodes.describe(node.entries[key])), "keys: " .. table.concat(allowed, ", "))
    end
  end
end

-- The list part, gaps reported: { { index =, value = }, … }.
function read.list(node)
  local out, last = {}, 0
  for _, key in ipairs((ordered.keys(node.entries))) do
    if math.type(key) == "integer" and key >= 1 then
      if key ~= last + 1 then
        report.error("HG1102", read.value(node, last + 1), ("entry %d of %s is nothing"):format(last + 1,
          read.title(node)), "look at the variable that stands here: it was never given a value")
      end
      out[#out + 1] = { index = key, value = node.entries[key] }
      last = key
    end
  end
  return out
end

-- One of a list of words, at a path of keys; title: what the words are.
function read.word(node, path, value, words, title)
  for _, word in ipairs(words) do
    if value == word then return word end
  end
  if type(value) ~= "string" then
    wrong_kind(node, path, "a string", value, report.did_you_mean("", words))
  else
    report.unknown("HG1105", read.value(node, table.unpack(path)), ("unknown %s %s"):format(title, quote(value)), value,
      words)
  end
end

-- Why a value is no integer, as help, or nil.
local function integer_help(value)
  if math.type(value) == "float" and value == math.floor(value) and math.abs(value) < 2 ^ 53 then
    return ("write %d; numbers with a point or an exponent are not exact"):format(value)
  elseif type(value) == "string" and math.tointeger(tonumber(value)) then
    return "write it without the quotes"
  elseif type(value) == "number" then
    return "write a whole number"
  end
end

-- An integer at a path of keys.
function read.integer(node, path, value, help)
  if math.type(value) == "integer" then return value end
  wrong_kind(node, path, "an integer", value, integer_help(value) or help,
    fixes.integer(read.value(node, table.unpack(path)), value))
end

-- ---- axes ---------------------------------------------------------------------------------------------------------

function read.axis_number(axes, name)
  for a, axis in ipairs(axes) do
    if axis == name then return a end
  end
end

-- Names of axes in a string or a list; letters: the string is one-letter names unless it is the name of one axis.
function read.axis_names(node, key, axes)
  local value = node.entries[key]
  local help = ('write %s = "xy" for axes x and y, or a list of names'):format(key)
  if type(value) == "string" then
    if axes and read.axis_number(axes, value) then return { value } end
    local names = {}
    for letter in value:gmatch(utf8.len(value) and utf8.charpattern or ".") do names[#names + 1] = letter end
    return names
  elseif not nodes.is_table(value) then
    return wrong_kind(node, { key }, "a string or a list of names", value, help)
  end
  local names, keys = {}, ordered.keys(value)
  for i, at in ipairs(keys) do
    if at ~= i or type(value[at]) ~= "string" then
      report.error("HG1102", read.value(node, key, at), ("%s must be a list of names of axes, not %s"):format(key,
        at ~= i and "a table with other keys" or nodes.describe(value[at])), help)
      return nil
    end
    names[i] = value[at]
  end
  return names
end

function read.unknown_axis(where, name, axes)
  report.unknown("HG1301", where, ("the grid has no axis %s"):format(quote(name)), name, axes)
end

-- Numbers of axes, each at most once; default where the key is not given.
function read.axes(node, key, axes, default)
  if node.entries[key] == nil then return default end
  local names = read.axis_names(node, key, axes)
  if not names then return nil end
  local numbers, seen, fine = {}, {}, true
  for i, name in ipairs(names) do
    local axis = read.axis_number(axes, name)
    local where = type(node.entries[key]) == "table" and read.value(node, key, i) or read.value(node, key)
    if not axis then
      read.unknown_axis(where, name, axes)
      fine = false
    elseif seen[axis] then
      report.error("HG1302", where, ("%s names axis %s twice"):format(key, quote(name)), "name it once")
      fine = false
    else
      seen[axis] = true
      numbers[#numbers + 1] = axis
    end
  end
  return fine and numbers or nil
end

-- All axes, fastest first; default where the key is not given.
function read.order(node, axes, default)
  local order = read.axes(node, "order", axes, default)
  if order and #order < #axes then
    report.error("HG1303", read.value(node, "order"), ("order names %d of the %d axes"):format(#order, #axes),
      "name all axes, the fastest in memory first")
    return nil
  end
  return order
end

function read.copy(list)
  return table.move(list, 1, #list, 1, {})
end

-- ---- layers -------------------------------------------------------------------------------------------------------

-- A key that is none of the sides of an axis.
function read.unknown_side(node, key, axis, side)
  local name = tostring(side)
  report.unknown("HG1101", read.key(node, key, axis, side), ("unknown side %s in %s"):format(quote(name), key), name,
    { "lo", "hi" })
end

local function sides_of(node, key, axis, value)
  if not nodes.is_table(value) then
    local layers = read.integer(node, { key, axis }, value, "or a table with lo and hi")
    return layers, layers
  end
  local sides = { lo = 0, hi = 0 }
  for _, side in ipairs((ordered.keys(value))) do
    if sides[side] then
      sides[side] = read.integer(node, { key, axis, side }, value[side])
    else
      read.unknown_side(node, key, axis, side)
      return nil
    end
  end
  return sides.lo, sides.hi
end

-- Layers written without axes where axes are needed: { 2, 2, 2 } or { lo = 1, hi = 2 }.  True after reporting.
local function without_axes(node, key, axes, value)
  local parts = {}
  for a, axis in ipairs(axes) do
    parts[a] = ("%s = %s"):format(axis, math.type(value[a]) == "integer" and value[a] or 1)
  end
  if value[1] ~= nil then
    report.error("HG1102", read.value(node, key, 1), ("%s takes no value without an axis"):format(key),
      ("write %s = { %s }"):format(key, table.concat(parts, ", ")))
    return true
  end
  for _, side in ipairs { "lo", "hi" } do
    if value[side] ~= nil and not read.axis_number(axes, side) then
      report.error("HG1301", read.key(node, key, side), ("%s belongs inside an axis"):format(side),
        ("write %s = { %s = { lo = 1, hi = 0 } }"):format(key, axes[1]))
      return true
    end
  end
end

-- Integers per axis, for a table with axes as keys; 0 where nothing is said.
function read.per_axis(node, key, axes)
  local value, numbers, fine = node.entries[key], {}, true
  for a = 1, #axes do numbers[a] = 0 end
  if value == nil then return numbers end
  if not nodes.is_table(value) then
    return wrong_kind(node, { key }, "a table with axes", value, ("write %s = { %s = 1 }"):format(key, axes[1]))
  end
  if without_axes(node, key, axes, value) then return nil end
  for _, axis in ipairs((ordered.keys(value))) do
    local a = read.axis_number(axes, axis)
    if a then
      numbers[a] = read.integer(node, { key, axis }, value[axis], ("write %s = { %s = 1 }"):format(key, axis))
      fine = fine and numbers[a]
    else
      read.unknown_axis(read.key(node, key, axis), tostring(axis), axes)
      fine = false
    end
  end
  return fine and numbers or nil
end

-- Layers per axis and side, { lo = {…}, hi = {…} }: a number, or a table with axes as keys.
function read.layers(node, key, axes, default)
  local value = node.entries[key]
  if value == nil then return default end
  local lo, hi, fine = {}, {}, true
  if not nodes.is_table(value) then
    local layers = read.integer(node, { key }, value, ("or a table with axes: %s = { %s = 1 }"):format(key, axes[1]))
    for a = 1, #axes do lo[a], hi[a] = layers, layers end
    return layers and { lo = lo, hi = hi }
  end
  if without_axes(node, key, axes, value) then return nil end
  for a = 1, #axes do lo[a], hi[a] = 0, 0 end
  for _, axis in ipairs((ordered.keys(value))) do
    local a = read.axis_number(axes, axis)
    if a then
      lo[a], hi[a] = sides_of(node, key, axis, value[axis])
      fine = fine and lo[a] and hi[a]
    else
      read.unknown_axis(read.key(node, key, axis), tostring(axis), axes)
      fine = false
    end
  end
  return fine and { lo = lo, hi = hi } or nil
end

return read
