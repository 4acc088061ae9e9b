-- Ghost points in the corners of tiles where other than four meet: no tile lies there, so they are filled from beside the
-- corner, from the same array or that of another component.
--
-- Across a corner lie two axes.  To fill along one of them, positions are turned by 90 degrees about the corner, so that
-- what is outside across the other one becomes as far outside across this one, and what is outside across this one as
-- far inside along the other.  So every point comes from a ghost point that a neighbor has fed.  Along x that is
-- (x, y) -> (y, -x) about the corners where both axes begin or both end, and (x, y) -> (-y, x) about the two others.
--
-- A component of a vector along one of the two axes is filled along its own axis, and along the other one where the components
-- lie on faces across their own axes (C placement), whatever axis is named; it comes from the other component.

local geometry = require "grids.geometry"

local corners = {}

local function key_of(tile, direction)
  return tile .. ":" .. table.concat(direction, ",")
end

-- The two axes that a direction is across, or nil.
function corners.axes_of(direction)
  local axes = {}
  for a, side in ipairs(direction) do
    if side ~= 0 then axes[#axes + 1] = a end
  end
  if #axes == 2 then return axes[1], axes[2] end
end

-- { { tile =, direction = }, … }: corners between two sides with neighbors where no tile lies; of those across an axis.
function corners.open(grid, joins, axis)
  local joined, out = {}, {}
  for _, join in ipairs(joins) do joined[key_of(join.tile, join.direction)] = true end
  for tile in ipairs(grid.tiles or {}) do
    for _, direction in ipairs(geometry.directions(#grid.axes)) do
      local p, q = corners.axes_of(direction)
      local single = { {}, {} }
      for a in ipairs(direction) do
        single[1][a], single[2][a] = a == p and direction[a] or 0, a == q and direction[a] or 0
      end
      if (p == axis or q == axis) and not joined[key_of(tile, direction)] and joined[key_of(tile, single[1])]
        and joined[key_of(tile, single[2])] then
        out[#out + 1] = { tile = tile, direction = { table.unpack(direction) } }
      end
    end
  end
  return out
end

-- Do the components of a vector along two axes lie on faces across their own axes only?
local function is_on_own_faces(vector, p, q)
  for _, a in ipairs { p, q } do
    local at = vector.fields[a] and vector.fields[a].at
    if not at or at[a] == "center" or at[a == p and q or p] ~= "center" then return false end
  end
  return true
end

-- The axis along which a corner across axes p and q is filled for a field, if `named` is asked for.
function corners.along(field, named, p, q)
  local own = field.vector and field.component
  if own ~= p and own ~= q then return named end
  if not is_on_own_faces(field.vector, p, q) then return own end
  return own == p and q or p
end

-- The tile link of a corner for points of a role (see geometry.tile_link), filled along an axis; or nil and the fault.
function corners.link(corner, along, role)
  local direction, P, t = corner.direction, geometry.identity(#corner.direction), {}
  local p, q = corners.axes_of(direction)
  local across = along == p and q or p
  local sense = direction[p] * direction[q]
  P[along], P[across] = { axis = across, sign = sense }, { axis = along, sign = -sense }
  for s, turned in ipairs(P) do
    local turns = s == p or s == q
    t[s] = { destination_cells = turns and direction[turned.axis] > 0 and -turned.sign or 0,
      source_cells = turns and direction[s] > 0 and 1 or 0 }
  end
  return geometry.tile_link({ tile = corner.tile, direction = direction, source = corner.tile, P = P, t = t }, role)
end

return corners
