-- A front end for tests: two tiles, A and B, of which the side above y of A meets the side below x of B, turned by a
-- quarter.  All other sides are walls.  quarter-turn.md above this folder says what that means, index by index.

local geometry = require "grids.geometry"

local two_tiles = {}

-- Axis x of B follows y of A, away from the joined side in both; axis y of B runs against x of A.  Others go along.
local function quarter_turn(axes)
  local P = geometry.identity(axes)
  P[1] = { axis = 2, sign = 1 }
  P[2] = { axis = 1, sign = -1 }
  return P
end

function two_tiles.joins(grid)
  local above_y = {}
  for a in ipairs(grid.axes) do above_y[a] = a == 2 and 1 or 0 end
  local P = quarter_turn(#grid.axes)
  return {
    geometry.join(1, above_y, 2, P),
    geometry.join(2, geometry.facing(P, above_y), 1, geometry.invert(P)),
  }
end

return two_tiles
