-- The verbs field and fields: from the tables that a spec gave to the fields of the model.

local ctypes = require "model.ctypes"
local fixes = require "base.fixes"
local nodes = require "language.nodes"
local ordered = require "base.ordered"
local read = require "language.read"
local report = require "base.report"
local verbs = require "language.verbs"

local fields = {}

-- structs leads from nodes of structs to types.
local function type_of(node, structs)
  local name = node.entries.type
  local described = nodes.of(name)
  if described and described.kind == "struct" then
    return structs[described]
  elseif name == nil then
    read.missing(node, "type", ("no type is given for %s"):format(read.title(node)), 'write type = "double"')
  elseif not read.typed(node, "type", 'write type = "double"') then
    return nil
  elseif ctypes.find(name) then
    return ctypes.find(name)
  else
    local spelling, where = ctypes.spelling[name], read.value(node, "type")
    local message = ("unknown type %s"):format(report.quote(name))
    if spelling then
      report.error("HG1401", where, message, ("write %s"):format(report.quote(spelling)), nil,
        fixes.respell(where, name, spelling))
    elseif report.nearest(name, ctypes.names) then
      report.unknown("HG1401", where, message, name, ctypes.names)
    else
      report.error("HG1401", where, message,
        "types are the integer and floating types of C, as C spells them, complex64, complex128, bool, half and structs")
    end
  end
end

-- The node of the grid that a field is on.
local function grid_of(node)
  if node.entries.on == nil then
    read.missing(node, "on", ("no grid is given for %s"):format(read.title(node)),
      "write on = grid, where grid is what cartesian returned")
  else
    return nodes.of(read.typed(node, "on", "write on = grid, where grid is what cartesian returned"))
  end
end

local function positions_of(node, axes)
  local value, at, key = node.entries.at or {}, {}, node.verb.at.at
  for a = 1, #axes do at[a] = key.default end
  if not nodes.is_table(value) then
    local all = read.choice(node, "at")
    for a = 1, #axes do at[a] = all end
    return at
  elseif value[1] ~= nil then
    report.error("HG1102", read.value(node, "at", 1), "at takes no value without an axis",
      ('write at = { %s = "low" }'):format(axes[1]))
    return at
  end
  for _, axis in ipairs((ordered.keys(value))) do
    local a = read.axis_number(axes, axis)
    if a then
      at[a] = read.word(node, { "at", axis }, value[axis], key.inner)
    else
      read.unknown_axis(read.key(node, "at", axis), tostring(axis), axes)
    end
  end
  return at
end

local components_help = 'write components = 5, or { 5, "outermost" }, or { 5, after = "x" }'

-- How many axes are faster in memory than the components: what follows the count in { 5, "outermost" } or { 5, after = "x" }.
local function after_of(node, value, axes, order)
  local keys, word = ordered.keys(value), nil
  for _, key in ipairs(keys) do
    if key == "after" then
      local axis = value.after
      local a = read.axis_number(axes, axis)
      if type(axis) ~= "string" then
        return read.wrong_kind(node, { "components", "after" }, "the name of an axis", axis, components_help)
      elseif not a then
        return read.unknown_axis(read.value(node, "components", "after"), axis, axes)
      elseif value[2] ~= nil then
        report.error("HG1106", read.value(node, "components", 2), "components lie after an axis or at an end, not both",
          components_help)
        return nil
      end
      for position, other in ipairs(order) do
        if other == a then word = position end
      end
    elseif key ~= 1 and key ~= 2 then
      report.error("HG1101", read.key(node, "components", key), ("unknown key %s in components"):format(
        report.quote(tostring(key))), components_help)
      return nil
    end
  end
  if word then return word end
  if value[2] == nil then return 0 end
  word = read.word(node, { "components", 2 }, value[2], node.verb.at.components.inner)
  return word and (word == "innermost" and 0 or #order)
end

-- { count =, after = }, or nil if there are none, or after reporting.  order: of the field, nil if that was wrong.
local function components_of(node, axes, order)
  local value = node.entries.components
  if value == nil then return nil end
  if not nodes.is_table(value) then
    local count = read.typed(node, "components", components_help)
    return count and { count = count, after = 0 }
  end
  if value[1] == nil then
    report.error("HG1102", read.value(node, "components"), "components does not say how many", components_help)
    return nil
  end
  local count = read.integer(node, { "components", 1 }, value[1], components_help)
  local after = after_of(node, value, axes, order or {})
  return count and after and { count = count, after = after }
end

local directions_help = 'write directions = { {0, 0}, {1, 0}, … }: for each component one number per axis, -1, 0 or 1'

local function direction_of(node, number, value, axes)
  if not nodes.is_table(value) then
    return read.wrong_kind(node, { "directions", number }, "a list of numbers", value, directions_help)
  end
  local keys, fine = ordered.keys(value), true
  for i, key in ipairs(keys) do fine = fine and key == i end
  if not fine or #keys ~= #axes then
    report.error("HG1415", read.value(node, "directions", number), ("direction %d has %s"):format(number, fine
      and ("%d entries on a grid of %d axes"):format(#keys, #axes) or "gaps, or keys"), directions_help)
    return nil
  end
  local direction = {}
  for a = 1, #axes do
    direction[a] = read.integer(node, { "directions", number, a }, value[a])
    fine = fine and direction[a]
  end
  return fine and direction
end

-- One direction per component, each with one entry per axis; nil if there are none, or after reporting.
local function directions_of(node, axes)
  local value = node.entries.directions
  if value == nil or not read.typed(node, "directions", directions_help) then return nil end
  local list, fine = {}, true
  for i, key in ipairs((ordered.keys(value))) do
    if key ~= i then
      report.error("HG1102", read.value(node, "directions", key), "directions must be a list without gaps and keys",
        directions_help)
      return nil
    end
    list[i] = direction_of(node, i, value[i], axes)
    fine = fine and list[i]
  end
  if #list == 0 and fine then
    report.error("HG1102", read.value(node, "directions"), "directions is an empty list", directions_help)
  end
  return fine and #list > 0 and list or nil
end

-- Fields made by one call of `fields` share its table, which is looked at once, for all of them.
local function owner_of_table(node)
  if not node.member then return node end
  return { kind = "field", alike = true, entries = node.entries, complete = true, call = node.call, site = node.site }
end

-- What the table of a field, or of several alike, says; nil after reporting.
local function read_attributes(node, grids, structs)
  if not read.entries(node, node.alike and verbs.fields or verbs.field) then return nil end
  local ctype = type_of(node, structs)
  local grid_node = grid_of(node)
  local grid = grid_node and grids[grid_node]
  if not grid then return nil end
  local zero = {}
  for a = 1, #grid.axes do zero[a] = 0 end
  local halo = read.layers(node, "halo", grid.axes, { lo = zero, hi = zero })
  local order = read.order(node, grid.axes, grid.order)
  local at = positions_of(node, grid.axes)
  local padding = read.per_axis(node, "padding", grid.axes)
  local directions = directions_of(node, grid.axes)
  local halo_at = read.choice(node, "halo_at")
  local residence = read.choice(node, "memory")
  local components = components_of(node, grid.axes, order)
    or directions and node.entries.components == nil and { count = #directions, after = 0 }
    or nil
  return ctype and halo and order and padding and { ctype = ctype, grid = grid, halo = halo, order = order, at = at,
    padding = padding, components = components, directions = directions, memory = residence ~= "host" and residence or nil,
    behind = halo_at == "behind" or nil }
end

local function copy_components(components)
  return components and { count = components.count, after = components.after }
end

local function copy_directions(list)
  if not list then return nil end
  local out = {}
  for i, direction in ipairs(list) do out[i] = read.copy(direction) end
  return out
end

-- The fields of the model, in the order of their nodes, and a table that leads from nodes to them.
-- grids leads from nodes of grids to grids of the model, structs from nodes of structs to types.
function fields.read(list, grids, structs)
  local out, attributes, by_node = {}, {}, {}
  for _, node in ipairs(list) do
    local name = (not node.member or type(node.entries) == "table") and read.name(node)
    local key = node.member and node.entries or node
    if attributes[key] == nil and (name or node.entries) then
      attributes[key] = read_attributes(owner_of_table(node), grids, structs) or false
    end
    local shared = attributes[key]
    if name and shared then
      local field = {
        index = #out + 1, name = name, type = shared.ctype.name, ctype = shared.ctype, grid = shared.grid,
        halo = { lo = read.copy(shared.halo.lo), hi = read.copy(shared.halo.hi) }, at = read.copy(shared.at),
        struct = shared.ctype.struct, order = read.copy(shared.order),
        padding = read.copy(shared.padding), components = copy_components(shared.components),
        directions = copy_directions(shared.directions), memory = shared.memory, behind = shared.behind,
        where = read.where(node), node = node,
      }
      out[field.index], by_node[node] = field, field
    end
  end
  return out, by_node
end

return fields
