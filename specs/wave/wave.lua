-- Sound in a room: pressure in the middle of each cell, velocity on its low faces, fourth order in space.
-- Periodic along x and y; floor and ceiling are rigid walls across z.
local grid = cartesian { axes = "xyz", fastest = "x", periodic = "xy" }

-- The slope of the pressure at a cell's low face takes two cells below the face and two above it, the first of
-- which is the cell itself.  The slope of a velocity at a cell's middle takes the two faces on either side.
local below = { lo = 2, hi = 1 }
local above = { lo = 1, hi = 2 }

-- Where messages are slow, one of all fields can serve several time steps, each of which takes three layers.
local together = param "together" { default = 0, min = 0, max = 8,
  text = "time steps that one exchange of all fields can serve; 0: there is none" }
local function halo(reach) return together > 0 and 3 * together or reach end

local p = field "p" { on = grid, type = "double", halo = halo { x = below, y = below, z = below } }
local u = field "u" { on = grid, type = "double", halo = halo { x = above } }
local v = field "v" { on = grid, type = "double", halo = halo { y = above } }
local w = field "w" { on = grid, type = "double", halo = halo { z = above } }

local parts = {
  exchange "pressure" { p, stencil = "star", width = { x = below, y = below, z = below } },
  exchange "velocity" {
    { u, width = { x = above } }, { v, width = { y = above } }, { w, width = { z = above } },
    stencil = "star",
  },
}
if together > 0 then
  local state = exchange "state" { p, u, v, w }
  table.insert(parts, state)
  table.insert(parts, cycle "sound" {
    exchange = state,
    step "pressure" { reads = { p = 0, u = { x = above }, v = { y = above }, w = { z = above } }, writes = { "p" } },
    step "velocity" { reads = { u = 0, v = 0, w = 0, p = { x = below, y = below, z = below } }, writes = { "u", "v", "w" },
      stencil = "star" },
  })
end
return spec "wave" (parts)
