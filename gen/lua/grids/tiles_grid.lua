-- The verb `tiles`: boxes of cells, each with extents of its own, whose sides are connected in any orientation.
--
-- The grid has, besides what all have,
--   title         what it is, in a few words
--   tiles         { { name = }, … }
--   connections   { { tile = 1, direction = { 1, 0 }, source = 2, P = orientation (see geometry.lua) }, … }: who leaves the
--                 tile in the direction, across one side, comes to the source; each is told once, and holds both ways.
-- Its geometry is tiles.lua.  Front ends for grids of one kind (cubed_sphere_grid.lua) are tables of connections.

local geometry = require "grids.geometry"
local grid_axes = require "grids.grid_axes"
local nodes = require "language.nodes"
local ordered = require "base.ordered"
local read = require "language.read"
local report = require "base.report"
local verb = require "language.verb"

local quote = report.quote

local example_of_entry = '{ "west", "+x", "east", "-x" }'

local tiles_grid = verb.new {
  verb = "tiles", call = "table", kind = "grid",
  text = "Makes boxes of cells, each with extents of its own, and joins them at their sides in any orientation.",
  example = ('tiles { axes = "xy", names = { "west", "east" }, connect = { %s } }'):format(example_of_entry),
  keys = grid_axes.keys { "axes",
    -- More than anyone has, and few enough for the proof of all their links.
    { key = "names", type = "names", must = true, least = 1, most = 500,
      text = "names of the tiles, LIMITS; C numbers them in this order, from 0" },
    { key = "connect", type = "connections", otherwise = "none: each tile ends at walls",
      text = ("a list of connections, each as in `%s`"):format(example_of_entry) },
    "fastest", "order", "decomposed", "blocks", "cells" },
}

-- ---- names ----------------------------------------------------------------------------------------------------------

-- What keeps a text from being the name of a tile, or nil.
local function problem_of_name(name)
  if type(name) ~= "string" then return "is " .. nodes.describe(name) end
  if not name:find("^%a[%w_]*$") or #name > 15 then return "is not a letter and at most 14 more letters, digits and underscores" end
end

-- Numbers of tiles by name, and their names; nil after reporting.
local function names_of(node)
  local list = node.entries.names
  if list == nil then
    return read.missing(node, "names", "the tiles have no names", "write " .. tiles_grid.example)
  elseif not read.typed(node, "names", 'write names = { "west", "east" }') then
    return nil
  end
  local numbers, names, fine = {}, {}, true
  for i, key in ipairs((ordered.keys(list))) do
    local name, where = list[key], read.value(node, "names", key)
    local problem = key == i and problem_of_name(name) or key ~= i and "has a key" or nil
    if problem then
      report.error("HG1309", where, ("entry %d of names %s"):format(i, problem), "write names of tiles, without keys")
    elseif numbers[name] then
      report.error("HG1309", where, ("tiles %d and %d are both called %s"):format(numbers[name], i, quote(name)),
        "give them different names")
    end
    fine = fine and not problem and not numbers[name]
    if not fine then return nil end
    numbers[name], names[i] = i, name
  end
  local most = tiles_grid.at.names.most
  if #names == 0 or #names > most then
    report.error("HG1309", read.value(node, "names"), ("the grid has %d tiles"):format(#names),
      ("name 1 to %d"):format(most))
    return nil
  end
  return numbers, names
end

-- ---- sides and orientations -----------------------------------------------------------------------------------------

-- "+x" as axis number and sign; nil after reporting.  plain: "x" stands for "+x".
local function signed_axis(node, path, value, axes, plain)
  local sign, name = tostring(value):match("^([+-]?)(.*)$")
  local axis = type(value) == "string" and (plain or sign ~= "") and read.axis_number(axes, name)
  if axis then return { axis = axis, sign = sign == "-" and -1 or 1 } end
  report.error("HG1310", read.value(node, table.unpack(path)), ("%s is no %s"):format(
    type(value) == "string" and quote(value) or nodes.describe(value), plain and "axis of the grid, with a sign or without"
    or "side"), ('write %s axis, as in "-%s"'):format(plain and "an" or "+ or - and an", axes[1]))
end

local function side_text(axes, side)
  return (side.sign < 0 and "-" or "+") .. axes[side.axis]
end

-- tiles: { names =, numbers = by name }.
local function tile_of(node, c, position, value, tiles)
  if tiles.numbers[value] then return tiles.numbers[value] end
  if type(value) ~= "string" then
    return read.wrong_kind(node, { "connect", c, position }, "the name of a tile", value, "write " .. example_of_entry)
  end
  report.unknown("HG1311", read.value(node, "connect", c, position), ("the grid has no tile %s"):format(quote(value)), value,
    tiles.names)
end

-- The table `along` of a connection, whose keys are axes that lie along the side of the first tile; nil after reporting.
local function along_of(node, c, entry, axes, side)
  local along = entry.along
  if along == nil then return {} end
  if not nodes.is_table(along) then
    return read.wrong_kind(node, { "connect", c, "along" }, verb.types.counts.title, along, 'write along = { x = "-x" }')
  end
  for _, name in ipairs((ordered.keys(along))) do
    local axis, where = read.axis_number(axes, name), read.key(node, "connect", c, "along", name)
    if not axis then return read.unknown_axis(where, tostring(name), axes) end
    if axis == side.axis then
      report.error("HG1312", where, ("axis %s does not lie along side %s"):format(name, side_text(axes, side)),
        "name axes that lie along the side of the first tile")
      return nil
    end
  end
  return along
end

-- Two axes of the first tile, or one and the one across, cannot run along the same axis of the second.
local function report_taken(node, c, axes, axis, to, taken)
  local name, other = axes[axis], taken == 0 and "is across its side" or ("is where %s runs along"):format(axes[taken])
  local where = read.value(node, "connect", c, "along", name)
  report.error("HG1312", where, ("axis %s of the first tile cannot run along %s of the second, which %s"):format(name,
    axes[to], other), "say for each axis along the side where it runs, as in along = { x = \"-y\" }")
end

-- For each axis of the second tile along its side the axis of the first that runs along it, { axis =, sign = }: by `along`,
-- or the one of the same name.  nil after reporting.
local function orientation_of(node, c, entry, axes, side, source_side)
  local along = along_of(node, c, entry, axes, side)
  local out, taken = {}, { [source_side.axis] = 0 }
  for axis, name in ipairs(along and axes or {}) do
    local to = { axis = axis, sign = 1 }
    if along[name] ~= nil then to = signed_axis(node, { "connect", c, "along", name }, along[name], axes, true) end
    if not to then return nil end
    if axis ~= side.axis then
      if taken[to.axis] then return report_taken(node, c, axes, axis, to.axis, taken[to.axis]) end
      taken[to.axis], out[to.axis] = axis, { axis = axis, sign = to.sign }
    end
  end
  return along and out
end

-- ---- connections ----------------------------------------------------------------------------------------------------

local function is_own_inverse(P)
  for s, p in ipairs(P) do
    if P[p.axis].axis ~= s or P[p.axis].sign ~= p.sign then return false end
  end
  return true
end

-- The connection of two sides, { tile =, axis =, sign = }; along: the orientation along them, as orientation_of() has it,
-- axes that are not in it run along themselves.
function tiles_grid.connection(axes, from, to, along)
  local direction, P = {}, {}
  for a = 1, axes do
    direction[a] = a == from.axis and from.sign or 0
    P[a] = along[a] or { axis = a, sign = 1 }
  end
  P[to.axis] = { axis = from.axis, sign = -from.sign * to.sign }
  return { tile = from.tile, direction = direction, source = to.tile, P = P }
end

local function has_strange_key(node, c, entry)
  for _, key in ipairs((ordered.keys(entry))) do
    if key ~= "along" and not (math.type(key) == "integer" and key >= 1 and key <= 4) then
      report.unknown("HG1101", read.key(node, "connect", c, key), ("unknown key %s in a connection"):format(
        quote(tostring(key))), tostring(key), { "along" })
      return true
    end
  end
end

-- Side `first` of an entry, 1 or 3: the tile and behind it the side; nil after reporting.
local function side_of(node, c, entry, first, axes, tiles)
  local tile = tile_of(node, c, first, entry[first], tiles)
  local side = tile and signed_axis(node, { "connect", c, first + 1 }, entry[first + 1], axes, false)
  return side and { tile = tile, axis = side.axis, sign = side.sign, name = tiles.names[tile] .. " " .. side_text(axes, side) }
end

-- Entry number c of `connect`, and its two sides; nil after reporting.
local function connection_of(node, c, entry, axes, tiles)
  if not nodes.is_table(entry) then
    return read.wrong_kind(node, { "connect", c }, "a connection", entry, "write " .. example_of_entry)
  end
  if has_strange_key(node, c, entry) then return nil end
  local from = side_of(node, c, entry, 1, axes, tiles)
  local to = from and side_of(node, c, entry, 3, axes, tiles)
  local along = to and orientation_of(node, c, entry, axes, from, to)
  if not along then return nil end
  local connection = tiles_grid.connection(#axes, from, to, along)
  if from.name == to.name and not is_own_inverse(connection.P) then
    report.error("HG1314", read.value(node, "connect", c), ("side %s of tile %s is connected with itself, and who crosses it "
      .. "twice does not come back"):format(side_text(axes, from), quote(tiles.names[from.tile])),
      "let each axis run along itself, or two along each other with the same sign")
    return nil
  end
  return connection, { from, to }
end

-- All of `connect`; a side belongs to one connection.
local function connections_of(node, axes, tiles)
  local list, out, first = node.entries.connect, {}, {}
  if list == nil or not read.typed(node, "connect", ("write connect = { %s }"):format(example_of_entry)) then return out end
  for i, key in ipairs((ordered.keys(list))) do
    if key ~= i then
      report.error("HG1102", read.key(node, "connect", key), "connect must be a list of connections, without keys",
        ("write connect = { %s }"):format(example_of_entry))
      return out
    end
    local connection, sides = connection_of(node, i, list[key], axes, tiles)
    for _, side in ipairs(sides or {}) do
      local earlier = first[side.name]
      if earlier and earlier ~= i then
        report.error("HG1313", read.value(node, "connect", i), ("side %s of tile %s is connected twice"):format(
          side_text(axes, side), quote(tiles.names[side.tile])), "connect each side once: a connection holds both ways",
          { { where = read.value(node, "connect", earlier), message = "the first time is here" } })
      end
      first[side.name] = earlier or i
    end
    out[#out + 1] = connection
  end
  return out
end

function tiles_grid.read(node)
  if not read.entries(node, tiles_grid) then return nil end
  local grid = grid_axes.read(node)
  if not grid then return nil end
  grid.kind, grid.title, grid.tiles = "tiles", "tiles", { { name = "one" } }
  local numbers, names = names_of(node)
  for t, name in ipairs(names or {}) do grid.tiles[t] = { name = name } end
  grid.connections = names and connections_of(node, grid.axes, { names = names, numbers = numbers }) or {}
  return grid
end

return tiles_grid
