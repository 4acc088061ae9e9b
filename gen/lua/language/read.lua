-- Reads the tables that a spec gave to its verbs: kinds of values, unknown keys, axes, layers.
--
-- Every function reports what is wrong at its place in the spec and returns nil then.  Whether values make sense
-- together is not its business, but check.lua's.

local fixes = require "base.fixes"
local locate = require "base.locate"
local nodes = require "language.nodes"
local ordered = require "base.ordered"
local report = require "base.report"
local verb = require "language.verb"
local verbs = require "language.verbs"

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
  if node.title then return node.title end
  if node.alike then return "these fields" end
  return type(node.name) == "string" and node.kind .. " " .. quote(node.name) or nodes.article(node.kind)
end

local function wrong_kind(node, path, expected, value, help, fix)
  local where = #path > 0 and read.value(node, table.unpack(path)) or read.where(node)
  report.error("HG1102", where, ("%s must be %s, not %s"):format(
    #path > 0 and table.concat(path, ".") or read.title(node), expected, nodes.describe(value)), help, nil, fix)
end
read.wrong_kind = wrong_kind

-- The name that a node was given; nil after reporting.
function read.name(node)
  if type(node.name) == "string" then return node.name end
  local example = verbs[node.member and "fields" or node.kind].example
  report.error("HG1102", read.where(node), ("the name of %s must be a string, not %s"):format(
    nodes.article(node.kind), nodes.describe(node.name)), "write " .. example)
end

-- True if the node has a table.  The example of what to write gets the node's name.
local function has_table(node, example)
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

local function unknown_key(node, key, names, elsewhere)
  local where, message = read.key(node, key), ("unknown key %s in %s"):format(quote(key), read.title(node))
  if elsewhere then return report.error("HG1101", where, message, elsewhere) end
  report.unknown("HG1101", where, message, key, names)
  node.meant[report.nearest(key, names) or key] = true
end

-- Reports keys that the verb has not, and keeps in node.meant which of its own they are likely to mean.
local function check_keys(node, description)
  local keys, strange = ordered.keys(node.entries)
  if strange then
    report.error("HG1102", read.where(node), ("a key of %s is %s"):format(read.title(node), nodes.article(strange)),
      "write names as keys")
  end
  local later = description.later or {}
  node.meant = {}
  for _, key in ipairs(keys) do
    if later[key] then
      report.error("HG1104", read.key(node, key), ("%q is not in this version of halogen"):format(key), later[key])
    elseif type(key) == "string" and not description.at[key] then
      unknown_key(node, key, description.names, description.elsewhere and description.elsewhere[key])
    elseif type(key) ~= "string" and not (description.list and math.type(key) == "integer" and key >= 1) then
      report.error("HG1102", read.value(node, key), ("%s takes no value without a key, and this is %s"):format(
        read.title(node), nodes.describe(node.entries[key])), "keys: " .. table.concat(description.names, ", "))
    end
  end
end

-- Whether the node has a table for the verb, which is described as verb.lua says.  Its keys are checked then, and can be read.
function read.entries(node, description)
  if not has_table(node, description.example) then return false end
  node.verb = description
  check_keys(node, description)
  return true
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

-- One of the words of a key, or of what is inside of its table, at a path of keys.
function read.word(node, path, value, words)
  for _, word in ipairs(words.list) do
    if value == word then return word end
  end
  if type(value) ~= "string" then
    wrong_kind(node, path, verb.types.word.title, value, report.did_you_mean("", words.list))
  else
    report.unknown("HG1105", read.value(node, table.unpack(path)), ("unknown %s %s"):format(words.called, quote(value)), value,
      words.list)
  end
end

-- The same for what a key is given, or its default.
function read.choice(node, key)
  local described = node.verb.at[key]
  if node.entries[key] == nil then return described.default end
  return read.word(node, { key }, node.entries[key], described)
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
  wrong_kind(node, path, verb.types.integer.title, value, integer_help(value) or help,
    fixes.integer(read.value(node, table.unpack(path)), value))
end

-- What a value is, in the words of verb.types.
local function kind_of(value)
  local node = nodes.of(value)
  if node then return node.kind end
  if type(value) == "table" then return nodes.is_table(value) and "table" or "library" end
  return math.type(value) == "integer" and "integer" or type(value)
end

-- What a key is given, if it is of its type; nil after reporting.
function read.typed(node, key, help)
  local value, wanted = node.entries[key], verb.types[node.verb.at[key].type]
  local kind = kind_of(value)
  for _, taken in ipairs(wanted.takes) do
    if kind == taken then return value end
  end
  if wanted.takes[1] == "integer" then return read.integer(node, { key }, value, help) end
  wrong_kind(node, { key }, wanted.title, value, help)
end

-- ---- axes ---------------------------------------------------------------------------------------------------------

function read.axis_number(axes, name)
  for a, axis in ipairs(axes) do
    if axis == name then return a end
  end
end

-- Names of axes in a string or a list; letters: the string is one-letter names unless it is the name of one axis.
function read.axis_names(node, key, axes)
  local help = ('write %s = "xy" for axes x and y, or a list of names'):format(key)
  local value = read.typed(node, key, help)
  if value == nil then return nil end
  if type(value) == "string" then
    if axes and read.axis_number(axes, value) then return { value } end
    local names = {}
    for letter in value:gmatch(utf8.len(value) and utf8.charpattern or ".") do names[#names + 1] = letter end
    return names
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

-- Numbers of axes, each at most once; default where the key is not given, or where the verb has no such key.
function read.axes(node, key, axes, default)
  if node.entries[key] == nil or not node.verb.at[key] then return default end
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

-- Places below a path of keys, and what messages call it: "reads.u".
local function below(path, ...)
  local out = read.copy(path)
  for _, key in ipairs { ... } do out[#out + 1] = key end
  return out
end

local function name_of(path)
  return table.concat(path, ".")
end

-- A key that is none of the sides of an axis; path: to the axis.
function read.unknown_side(node, path, side)
  local name = tostring(side)
  report.unknown("HG1101", read.key(node, table.unpack(below(path, side))), ("unknown side %s in %s"):format(quote(name),
    name_of { table.unpack(path, 1, #path - 1) }), name, { "lo", "hi" })
end

local function sides_of(node, path, value)
  if not nodes.is_table(value) then
    local layers = read.integer(node, path, value, "or a table with lo and hi")
    return layers, layers
  end
  local sides = { lo = 0, hi = 0 }
  for _, side in ipairs((ordered.keys(value))) do
    if sides[side] then
      sides[side] = read.integer(node, below(path, side), value[side])
    else
      read.unknown_side(node, path, side)
      return nil
    end
  end
  return sides.lo, sides.hi
end

-- Layers written without axes where axes are needed: { 2, 2, 2 } or { lo = 1, hi = 2 }.  True after reporting.
local function without_axes(node, path, axes, value)
  local parts, name = {}, path[#path]
  for a, axis in ipairs(axes) do
    parts[a] = ("%s = %s"):format(axis, math.type(value[a]) == "integer" and value[a] or 1)
  end
  if value[1] ~= nil then
    report.error("HG1102", read.value(node, table.unpack(below(path, 1))), ("%s takes no value without an axis"):format(name_of(path)),
      ("write %s = { %s }"):format(name, table.concat(parts, ", ")))
    return true
  end
  for _, side in ipairs { "lo", "hi" } do
    if value[side] ~= nil and not read.axis_number(axes, side) then
      report.error("HG1301", read.key(node, table.unpack(below(path, side))), ("%s belongs inside an axis"):format(side),
        ("write %s = { %s = { lo = 1, hi = 0 } }"):format(name, axes[1]))
      return true
    end
  end
end

-- Integers per axis, for a table with axes as keys; 0 where nothing is said.
function read.per_axis(node, key, axes)
  local value, numbers, fine = node.entries[key], {}, true
  for a = 1, #axes do numbers[a] = 0 end
  if value == nil then return numbers end
  if not read.typed(node, key, ("write %s = { %s = 1 }"):format(key, axes[1])) then return nil end
  if without_axes(node, { key }, axes, value) then return nil end
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

-- Layers per axis and side at a path of keys, { lo = {…}, hi = {…} }: a number, or a table with axes as keys.
function read.layers_at(node, path, value, axes)
  local lo, hi, fine = {}, {}, true
  if not nodes.is_table(value) then
    local layers = read.integer(node, path, value, ("or a table with axes: %s = { %s = 1 }"):format(path[#path], axes[1]))
    for a = 1, #axes do lo[a], hi[a] = layers, layers end
    return layers and { lo = lo, hi = hi }
  end
  if without_axes(node, path, axes, value) then return nil end
  for a = 1, #axes do lo[a], hi[a] = 0, 0 end
  for _, axis in ipairs((ordered.keys(value))) do
    local a = read.axis_number(axes, axis)
    if a then
      lo[a], hi[a] = sides_of(node, below(path, axis), value[axis])
      fine = fine and lo[a] and hi[a]
    else
      read.unknown_axis(read.key(node, table.unpack(below(path, axis))), tostring(axis), axes)
      fine = false
    end
  end
  return fine and { lo = lo, hi = hi } or nil
end

-- The same for what a key is given, or its default.
function read.layers(node, key, axes, default)
  local value = node.entries[key]
  if value == nil then return default end
  return read.layers_at(node, { key }, value, axes)
end

return read
