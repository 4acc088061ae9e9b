-- Points that several blocks own: those on faces where blocks meet, of fields that have a point on every face.
--
-- An exchange of shared points claims, for each field, the directions across axes along which the field lies at "both":
-- seen from a block, -1 is its first face along the axis, 1 its last, 0 what lies between.  Within a tile the blocks on both
-- sides of a face have its points at the same place.  Across the sides of tiles the links do that lead beyond them: they
-- map positions, so one that maps what lies beyond a side maps the side itself, too.  Who comes to a point by
-- crossing one side after the other, in all ways, has met all that own it; so links across one side suffice.

local geometry = require "geometry"

local shared = {}

-- Does an item own points on this side of a block that another may own, too?
function shared.claims(item, direction)
  local outside = false
  for a, side in ipairs(direction) do
    if side ~= 0 and item.field.at[a] ~= "both" then return false end
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

-- Do blocks meet across some axis along which the field has points on every face?
function shared.meets(grid, field)
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
      local beside = shared.claims({ field = field }, direction) and not joined[key_of(tile, direction)]
      for a, side in ipairs(direction) do
        local single = {}
        for b in ipairs(direction) do single[b] = b == a and side or 0 end
        beside = beside and (side == 0 or joined[key_of(tile, single)])
      end
      if beside then return tile, direction end
    end
  end
end

-- A connection of a side with itself that lets two axes change places along it, or nil: no box of points on one half of the
-- side is met by the other half.
function shared.side_on_its_diagonal(grid)
  for _, connection in ipairs(grid.connections or {}) do
    local facing, same, swapped = geometry.facing(connection.P, connection.direction), connection.tile == connection.source, false
    for s, p in ipairs(connection.P) do
      same, swapped = same and facing[s] == connection.direction[s], swapped or p.axis ~= s
    end
    if same and swapped then return connection end
  end
end

-- Which end of a link across one side decides about the points there: "here", "there" or "both" of them, in equal parts.
function shared.decides(rule, link)
  if rule == "mean" then return "both" end
  local axis = shared.axis_across(link.direction)
  local here, there = link.direction[axis], 0
  for s, map in ipairs(link.map) do
    if map.axis == axis then there = -map.sign * here end
  end
  if rule == "greater" and here ~= there then return here < 0 and "here" or "there" end
  if link.source ~= link.tile then return link.tile < link.source and "here" or "there" end
  return here <= there and "here" or "there"
end

return shared
