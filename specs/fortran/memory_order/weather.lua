-- An atmosphere in the memory order of WRF: arrays (i, k, j), columns whole.  All arrays have the same bounds, so those
-- on the middles of layers have a level more than they need.
local grid = cartesian { axes = "xyz", order = "xzy", periodic = "xy", decomposed = "xy" }
local sides = { x = 1, y = 1 }

local b = field "b" { on = grid, type = "float", halo = sides, padding = { z = 1 } }
local w = field "w" { on = grid, type = "float", halo = sides, at = { z = "both" } }

return spec "weather" {
  exchange "state" { b, w, stencil = "box" },
}
