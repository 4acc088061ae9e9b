-- The verb exchange: from the table that a spec gave to the exchange of the model.
--
--   stencil     "box", "star", or a list of directions, sorted
--   operation   "copy", "add", "min" or "max"
--   sums        "rounded": what is added may be rounded on the way (wire); nil: it may not
--   keeps       true: ghost points that were sent back stay as they are; nil: they become zero, or the exchange copies
--   boundary    { lo = {words per axis}, hi = {…} }, what fills the ghost points beyond walls; "none" along periodic axes
--   fills       whether any of these is not "none"
--   items       beside field and widths each has wire = nil or the format in which its numbers travel (wires.lua)
--   corners     axes along which corners of tiles without a neighbor can be filled, by number
--   shared      nil, or of an exchange of points that several blocks own who decides: "greater", "owner", "mean" or "sum"

local fixes = require "base.fixes"
local fold = require "grids.fold"
local geometry = require "grids.geometry"
local nodes = require "language.nodes"
local operations = require "model.operations"
local ordered = require "base.ordered"
local read = require "language.read"
local report = require "base.report"
local tiles = require "grids.tiles"
local verbs = require "language.verbs"

local exchanges = {}

local quote = report.quote

-- ---- stencils -----------------------------------------------------------------------------------------------------

local function key_of(direction)
  return table.concat(direction, ",")
end

-- One entry of a list of directions, at stencil[i]; nil after reporting.
local function read_direction(node, i, value, axes)
  local help = ("write one number per axis: { 1%s }"):format((", 0"):rep(#axes - 1))
  if not nodes.is_table(value) then
    return read.wrong_kind(node, { "stencil", i }, "a direction", value, help)
  end
  local direction, outside, keys = {}, false, ordered.keys(value)
  for a, at in ipairs(keys) do
    local side = value[at]
    if at ~= a then
      report.error("HG1508", read.value(node, "stencil", i), "a direction is a list of numbers without keys", help)
      return nil
    elseif math.type(side) ~= "integer" or side < -1 or side > 1 then
      report.error("HG1508", read.value(node, "stencil", i, a), ("direction %d of the stencil has %s"):format(i, nodes.describe(side)),
        "write -1 for below the block along the axis, 0 for beside it, 1 for above it")
      return nil
    end
    direction[a], outside = side, outside or side ~= 0
  end
  if #direction ~= #axes then
    report.error("HG1508", read.value(node, "stencil", i), ("a direction of %d numbers on a grid of %d axes"):format(
      #direction, #axes), help)
  elseif not outside then
    report.error("HG1508", read.value(node, "stencil", i), "a direction of zeros is the block itself",
      "leave it out: owned points need no exchange")
  else
    return direction
  end
end

local function read_directions(node, value, axes)
  local seen, fine = {}, true
  for i, at in ipairs((ordered.keys(value))) do
    if at ~= i then
      read.wrong_kind(node, { "stencil" }, "a list of directions", value, "write stencil = { { 1, 0 }, { -1, 0 } }")
      return nil
    end
    local direction = read_direction(node, i, value[i], axes)
    fine = fine and direction ~= nil
    if direction and seen[key_of(direction)] then
      report.error("HG1509", read.value(node, "stencil", i), ("direction { %s } is in the stencil twice"):format(
        table.concat(direction, ", ")), "list it once", { { where = read.value(node, "stencil", seen[key_of(direction)]),
          message = "the first time is here" } }, fixes.remove(node.site, "stencil", i))
    elseif direction then
      seen[key_of(direction)] = i
    end
  end
  local list = {}
  for _, direction in ipairs(geometry.directions(#axes)) do
    if seen[key_of(direction)] then list[#list + 1] = direction end
  end
  if #list == 0 and fine then
    report.error("HG1508", read.value(node, "stencil"), "a stencil without directions", 'list some, or write "box" or "star"')
  end
  return list
end

local function stencil_of(node, axes)
  local value = node.entries.stencil
  if nodes.is_table(value) then return axes and read_directions(node, value, axes) or node.verb.at.stencil.default end
  return read.choice(node, "stencil")
end

-- ---- boundaries ---------------------------------------------------------------------------------------------------

local function read_fill(node, path, value)
  return read.word(node, path, value, verbs.exchange.at.boundary)
end

-- What is said about an axis by its name.
local function read_axis_fill(node, axis, value)
  if not nodes.is_table(value) then
    local word = read_fill(node, { "boundary", axis }, value)
    return word, word
  end
  local sides = { lo = "none", hi = "none" }
  for _, side in ipairs((ordered.keys(value))) do
    if sides[side] then
      sides[side] = read_fill(node, { "boundary", axis, side }, value[side])
    else
      read.unknown_side(node, { "boundary", axis }, side)
    end
  end
  return sides.lo, sides.hi
end

local function has_wall(grid, a, side)
  if grid.connections then return tiles.has_wall(grid, a, side) end
  if grid.fold then return fold.has_wall(grid, a, side == "lo" and -1 or 1) end
  return not grid.periodic[a]
end

-- Why no wall is there.
local function what_is_there(grid, a)
  if grid.connections then return "all tiles are connected there" end
  return grid.fold and grid.fold.axis == a and "the grid is folded there" or "the axis is periodic"
end

-- Nothing is said about sides where no wall is; one word for both sides is for those that there are.
local function keep_walls(node, grid, a, boundary)
  local axis = grid.axes[a]
  local said = node.entries.boundary[axis]
  for _, side in ipairs { "lo", "hi" } do
    if boundary[side][a] ~= "none" and not has_wall(grid, a, side) then
      if type(said) == "table" then
        report.error("HG1510", read.key(node, "boundary", axis, side), ("there is no %s wall across %s: %s"):format(
          side == "lo" and "low" or "high", axis, what_is_there(grid, a)), "leave it out",
          { { where = grid.where, message = "the grid is here" } }, fixes.remove(node.site, "boundary", axis, side))
      end
      boundary[side][a] = "none"
    end
  end
end

local function boundary_of(node, grid)
  local value, boundary = node.entries.boundary, { lo = {}, hi = {} }
  for a in ipairs(grid.axes) do boundary.lo[a], boundary.hi[a] = "none", "none" end
  if value == nil then return boundary end
  local walls = {}
  for a in ipairs(grid.axes) do
    if has_wall(grid, a, "lo") or has_wall(grid, a, "hi") then walls[#walls + 1] = a end
  end
  if not nodes.is_table(value) then
    local word = read_fill(node, { "boundary" }, value)
    if word and word ~= "none" and #walls == 0 then
      report.error("HG1510", read.value(node, "boundary"), grid.connections
        and "the grid has no walls: all sides of its tiles are connected" or "the grid has no walls: all of its axes are periodic",
        "leave boundary out", { { where = grid.where, message = "the grid is here" } }, fixes.remove(node.site, "boundary"))
    end
    for _, a in ipairs(walls) do
      for _, side in ipairs { "lo", "hi" } do
        boundary[side][a] = has_wall(grid, a, side) and word or "none"
      end
    end
    return boundary
  end
  for _, key in ipairs((ordered.keys(value))) do
    local a = read.axis_number(grid.axes, key)
    if not a and (key == "lo" or key == "hi") then
      report.error("HG1301", read.key(node, "boundary", key), ("%s belongs inside an axis"):format(key),
        ('write boundary = { %s = { lo = "mirror", hi = "zero" } }'):format(grid.axes[1]))
    elseif not a then
      read.unknown_axis(read.key(node, "boundary", key), tostring(key), grid.axes)
    elseif not has_wall(grid, a, "lo") and not has_wall(grid, a, "hi") then
      report.error("HG1510", read.key(node, "boundary", key), ("there is no wall across %s: %s"):format(key,
        what_is_there(grid, a)), "leave it out",
        { { where = grid.where, message = "the grid is here" } }, fixes.remove(node.site, "boundary", key))
    else
      local lo, hi = read_axis_fill(node, key, value[key])
      boundary.lo[a], boundary.hi[a] = lo or "none", hi or "none"
      keep_walls(node, grid, a, boundary)
    end
  end
  return boundary
end

local function fills_any(boundary)
  for a in ipairs(boundary.lo) do
    if boundary.lo[a] ~= "none" or boundary.hi[a] ~= "none" then return true end
  end
  return false
end

-- ---- the exchange -------------------------------------------------------------------------------------------------

-- Do ghost points stay as they are when they have been sent back?  Those of which the least or the greatest was taken do.
local function keeps_ghosts(node, operation)
  local word = node.entries.ghosts
  if word == nil then return operations.picks(operation) or nil end
  if operation == "copy" then
    report.error("HG1530", read.key(node, "ghosts"), ("exchange %s copies, and ghosts is for one that adds"):format(
      quote(tostring(node.name))), 'write op = "add" beside it, or leave ghosts out', nil, fixes.remove(node.site, "ghosts"))
    return nil
  end
  local fate = read.choice(node, "ghosts")
  if fate == "zero" and operations.picks(operation) then
    report.error("HG1534", read.value(node, "ghosts"), ("exchange %s %s, and sets ghost points to zero"):format(
      quote(tostring(node.name)), operations.verb[operation]),
      "leave ghosts out: they stay as they are, since the next exchange would take a zero for one of the numbers", nil,
      fixes.remove(node.site, "ghosts"))
  end
  return fate == "keep" or nil
end

-- The rule of an exchange of shared points; nil for all others.
local function shared_of(node)
  local only = read.choice(node, "only")
  if node.entries.agree ~= nil and node.entries.only == nil then
    report.error("HG1519", read.key(node, "agree"), ("exchange %s fills a halo, and agree is for shared points"):format(
      quote(tostring(node.name))), 'write only = "shared" beside it, or leave agree out')
    return nil
  end
  local rule = read.choice(node, "agree")
  return only and rule
end

-- The node that says a key for an entry of an exchange: the table that lists the field, or else the exchange.
function exchanges.who_says(node, entry, key)
  return entry.group and entry.group.entries[key] ~= nil and entry.group or node
end

-- The nodes in which an exchange is described: its own, and those of the tables inside of it.
function exchanges.nodes_of(exchange)
  local out, seen = { exchange.node }, {}
  for _, item in ipairs(exchange.items) do
    if item.group and not seen[item.group] then out[#out + 1], seen[item.group] = item.group, true end
  end
  return out
end

-- Shared points are no part of a halo, and have no width.
local function read_items(node, listed, shared)
  local items = {}
  for _, entry in ipairs(listed) do
    local field, none = entry.field, {}
    for a in ipairs(field.grid.axes) do none[a] = 0 end
    local width = shared and { lo = none, hi = none }
      or read.layers(exchanges.who_says(node, entry, "width"), "width", field.grid.axes, field.halo)
    if width then
      items[#items + 1] = { field = field, lo = read.copy(width.lo), hi = read.copy(width.hi), where = entry.where,
        entry = entry.entry, group = entry.group, wire = read.choice(exchanges.who_says(node, entry, "wire"), "wire") }
    end
  end
  return items
end

-- The exchange of a node, or nil after reporting.  listed_fields(node) gives { { field =, where =, entry = }, … }.
function exchanges.read(node, listed_fields)
  local name = read.name(node)
  if not name or not read.entries(node, verbs.exchange) then return nil end
  local listed = listed_fields(node)
  local grid = listed[1] and listed[1].field.grid
  local shared = shared_of(node)
  local operation = read.choice(node, "op")
  local exchange = {
    name = name, stencil = stencil_of(node, grid and grid.axes), operation = operation, keeps = keeps_ghosts(node, operation), shared = shared,
    sums = read.choice(node, "sums"),
    boundary = grid and boundary_of(node, grid), items = read_items(node, listed, shared), where = read.where(node),
    node = node,
  }
  exchange.corners = grid and node.entries.corners ~= nil and read.axes(node, "corners", grid.axes, {}) or nil
  exchange.fills = grid ~= nil and not shared and fills_any(exchange.boundary)
  return exchange
end

-- The names of the axes along which an exchange can fill corners.
function exchanges.names_of_corners(grid, exchange)
  local out = {}
  for i, axis in ipairs(exchange.corners or {}) do out[i] = grid.axes[axis] end
  return out
end

-- Is a direction in a stencil, whatever the widths?
function exchanges.in_stencil(stencil, direction)
  if stencil == "box" then return true end
  local axes = 0
  for _, side in ipairs(direction) do axes = axes + math.abs(side) end
  if stencil == "star" then return axes == 1 end
  for _, listed in ipairs(stencil) do
    if key_of(listed) == key_of(direction) then return true end
  end
  return false
end

return exchanges
