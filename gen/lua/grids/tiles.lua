-- The geometry of tiles whose sides are connected: edges and corners follow from the sides.
--
-- A corner is reached by crossing the sides that meet there one after the other.  If all orders of crossing lead to the
-- same tile in the same orientation, that is the neighbor: sides are laid onto sides as a whole, so the corner is then
-- the same, too.  If they do not, other than four tiles (two at the rim of the grid) meet there, and there is none.

local geometry = require "grids.geometry"

local tiles = {}

local function key_of(tile, direction)
  return tile .. ":" .. table.concat(direction, ",")
end

local function same(P, Q)
  for s, p in ipairs(P) do
    if p.axis ~= Q[s].axis or p.sign ~= Q[s].sign then return false end
  end
  return true
end

-- Both ways of a connection; one where a side is connected with itself.
local function joins_of(connection)
  local there = geometry.join(connection.tile, connection.direction, connection.source, connection.P)
  local facing = geometry.facing(connection.P, connection.direction)
  local back = geometry.join(connection.source, facing, connection.tile, geometry.invert(connection.P))
  if key_of(there.tile, there.direction) == key_of(back.tile, back.direction) then return { there } end
  return { there, back }
end

local function axes_across(direction)
  local across = 0
  for _, side in ipairs(direction) do across = across + math.abs(side) end
  return across
end

-- The neighbor of a tile beyond several sides, as { source =, P = }, or nil.  beyond: the neighbors in directions across
-- fewer sides, by key_of().
local function corner(beyond, tile, direction)
  local found
  for a, side in ipairs(direction) do
    if side ~= 0 then
      local first, rest = {}, { table.unpack(direction) }
      for b in ipairs(direction) do first[b] = b == a and side or 0 end
      rest[a] = 0
      local step = beyond[key_of(tile, first)]
      local next_step = step and beyond[key_of(step.source, geometry.apply(step.P, rest))]
      if not next_step then return nil end
      local P = geometry.compose(next_step.P, step.P)
      if found and (found.source ~= next_step.source or not same(found.P, P)) then return nil end
      found = { source = next_step.source, P = P }
    end
  end
  return found
end

-- A connection in words: its two sides, "+x" and "-y", and which axes run along others or backwards, "x along -y", or nil.
function tiles.words(axes, connection)
  local side, source_side, turned = "", "", {}
  for s, p in ipairs(connection.P) do
    local across = connection.direction[p.axis]
    if across ~= 0 then
      side = (across < 0 and "-" or "+") .. axes[p.axis]
      source_side = (across * p.sign > 0 and "-" or "+") .. axes[s]
    elseif p.axis ~= s or p.sign < 0 then
      turned[#turned + 1] = ("%s along %s%s"):format(axes[p.axis], p.sign < 0 and "-" or "", axes[s])
    end
  end
  return side, source_side, #turned > 0 and table.concat(turned, ", ") or nil
end

-- The joins across one side.
function tiles.sides(grid)
  local joins = {}
  for _, connection in ipairs(grid.connections) do
    for _, join in ipairs(joins_of(connection)) do joins[#joins + 1] = join end
  end
  return joins
end

-- Does some tile end at a wall at the low or the high end of an axis?
function tiles.has_wall(grid, a, side)
  local joined, sign = 0, side == "lo" and -1 or 1
  for _, join in ipairs(tiles.sides(grid)) do
    if join.direction[a] == sign then joined = joined + 1 end
  end
  return joined < #grid.tiles
end

function tiles.joins(grid)
  local joins, beyond = tiles.sides(grid), {}
  for _, join in ipairs(joins) do beyond[key_of(join.tile, join.direction)] = join end
  local axes = #grid.axes
  for across = 2, axes do
    for _, direction in ipairs(geometry.directions(axes)) do
      for tile = 1, axes_across(direction) == across and #grid.tiles or 0 do
        local found = corner(beyond, tile, direction)
        if found then
          joins[#joins + 1] = geometry.join(tile, direction, found.source, found.P)
          beyond[key_of(tile, direction)] = joins[#joins]
        end
      end
    end
  end
  return joins
end

return tiles
