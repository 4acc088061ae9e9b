-- Points that several blocks own: those on faces where blocks meet, of fields that have a point on every face.
--
-- An exchange of shared points claims, for each field, the directions across axes along which the field lies at "both":
-- seen from a block, -1 is its first face along the axis, 1 its last, 0 what lies between.  Within a tile the blocks on both
-- sides of a face have its points at the same place.  Across the sides of tiles the links do that lead beyond them: they
-- map positions, so one that maps what lies beyond a side maps the side itself, too.  Who comes to a point by
-- crossing one side after the other, in all ways, has met all that own it; so links across one side suffice.
--
-- Where a grid is folded (fold.lua), owned points on the line, and beyond it, lie on others, whatever faces a field has.  They
-- are claimed with the direction across the folded side; and those that are rewritten decide about no other.

local fold = require "grids.fold"
local geometry = require "grids.geometry"

local shared = {}

-- Does an item own points on this side of a block that another may own, too?
function shared.claims(grid, item, direction)
  local outside = false
  for a, side in ipairs(direction) do
    local folded = fold.is_across(grid, a, side) and fold.meets_itself(grid, item.field.at)
    if side ~= 0 and item.field.at[a] ~= "both" and not folded then return false end
    outside = outside or side ~= 0
  end
  return outside
end

-- The axis across which the direction lies, if it is one alone.
function shared.axis_across(direction)
  local found
  for a, side in ipairs(direction) do
    if side ~= 0 then
      if found then return nil end
      found = a
    end
  end
  return found
end

-- Do blocks meet across some axis along which the field has points on every face?  Or points where the grid is folded?
function shared.meets(grid, field)
  if fold.meets_itself(grid, field.at) then return true end
  for a, at in ipairs(field.at) do
    local wraps = grid.periodic[a] or grid.tiles or grid.fold and grid.fold.along == a
    if at == "both" and (wraps or grid.decomposed[a]) then return true end
  end
  return false
end

local function key_of(tile, direction)
  return tile .. ":" .. table.concat(direction, ",")
end

-- A tile and a direction across several axes at whose corner a component of a vector is another one to each way around it,
-- because other than four tiles meet there; or nil.
function shared.corner_without_sense(grid, joins, field)
  if not field.vector or not grid.tiles then return nil end
  local joined = {}
  for _, join in ipairs(joins) do joined[key_of(join.tile, join.direction)] = true end
  for tile in ipairs(grid.tiles) do
    for _, direction in ipairs(geometry.directions(#grid.axes)) do
      local beside = shared.claims(grid, { field = field }, direction) and not joined[key_of(tile, direction)]
      for a, side in ipairs(direction) do
        local single = {}
        for b in ipairs(direction) do single[b] = b == a and side or 0 end
        beside = beside and (side == 0 or joined[key_of(tile, single)])
      end
      if beside then return tile, direction end
    end
  end
end

-- Of the two places that a point on connected sides of one tile has, is the lower one sometimes on this side and sometimes on
-- that, divided by a diagonal?  Places are compared axis by axis: an axis across one of the sides tells, one that runs along
-- itself tells by halves, and one that another runs along tells nothing of boxes.
local function has_diagonal(connection)
  local facing = geometry.facing(connection.P, connection.direction)
  for a, p in ipairs(connection.P) do
    local here, there = connection.direction[a], facing[a]
    if here == 0 and there == 0 then
      if p.axis ~= a then return true end
    elseif here ~= there then
      return false
    end
  end
  return false
end

-- Is a side of a tile connected with itself?
function shared.is_itself(connection)
  local facing = geometry.facing(connection.P, connection.direction)
  for a, side in ipairs(connection.direction) do
    if facing[a] ~= side then return false end
  end
  return connection.tile == connection.source
end

-- A connection of a tile with itself on which no box of points lies on one half of the side and is met by the other half,
-- or nil.
function shared.side_with_diagonal(grid)
  for _, connection in ipairs(grid.connections or {}) do
    if connection.tile == connection.source and has_diagonal(connection) then return connection end
  end
end

-- Does the side of a link come before the one that it meets?  Of one tile the low end comes before its middle, and that before
-- the high end, by one axis after the other.
local function comes_first(link)
  local facing = {}
  for s, map in ipairs(link.map) do facing[s] = -map.sign * link.direction[map.axis] end
  for a, side in ipairs(link.direction) do
    if side ~= facing[a] then return side < facing[a] end
  end
  return true
end

-- Does a point become a number that is made of what all blocks hold of it, a mean or a sum?
function shared.combines(rule)
  return rule == "mean" or rule == "sum"
end

-- Which end of a link across one side decides about the points there: "here", "there" or "both" of them, in equal parts; or
-- "kept", where the points are at both ends and one of each two is kept.
function shared.decides(grid, rule, link)
  if shared.combines(rule) then return "both" end
  for a, side in ipairs(link.direction) do
    if fold.is_across(grid, a, side) then return "kept" end
  end
  local axis = shared.axis_across(link.direction)
  local here, there = link.direction[axis], 0
  for s, map in ipairs(link.map) do
    if map.axis == axis then there = -map.sign * here end
  end
  if rule == "greater" and here ~= there then return here < 0 and "here" or "there" end
  if link.source ~= link.tile then return link.tile < link.source and "here" or "there" end
  return comes_first(link) and "here" or "there"
end

return shared
