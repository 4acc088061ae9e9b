-- The Cartesian front end: one tile, joined to itself across every periodic axis.
--
-- The geometry of a front end is the module grids.KIND of grid.kind, with
--   joins(grid)   list of joins (see geometry.lua), at most one for each tile and direction; in directions without
--                 one the tile ends at a wall

local geometry = require "grids.geometry"

local cartesian = {}

local function wraps(grid, direction)
  for a, side in ipairs(direction) do
    if side ~= 0 and not grid.periodic[a] then return false end
  end
  return true
end

function cartesian.joins(grid)
  local axes = #grid.axes
  local joins = {}
  for _, direction in ipairs(geometry.directions(axes)) do
    if wraps(grid, direction) then
      joins[#joins + 1] = geometry.join(1, direction, 1, geometry.identity(axes))
    end
  end
  return joins
end

return cartesian
