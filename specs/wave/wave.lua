-- Sound in a room: pressure in the middle of each cell, velocity on its low faces, fourth order in space.
-- Periodic along x and y; floor and ceiling are rigid walls across z.
local grid = cartesian { axes = "xyz", fastest = "x", periodic = "xy" }

-- The slope of the pressure at a cell's low face takes two cells below the face and two above it, the first of
-- which is the cell itself.  The slope of a velocity at a cell's middle takes the two faces on either side.
local below = { lo = 2, hi = 1 }
local above = { lo = 1, hi = 2 }

local p = field "p" { on = grid, type = "double", halo = { x = below, y = below, z = below } }
local u = field "u" { on = grid, type = "double", halo = { x = above } }
local v = field "v" { on = grid, type = "double", halo = { y = above } }
local w = field "w" { on = grid, type = "double", halo = { z = above } }

return spec "wave" {
  exchange "pressure" { p, stencil = "star" },
  exchange "velocity" { u, v, w, stencil = "star" },
}
