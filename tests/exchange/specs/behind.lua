-- Halos behind the owned points, beside one around them: in other orders of memory, of unequal depth, not on all sides.
local grid = cartesian { axes = "xyz", periodic = "x" }

local a = field "a" { on = grid, type = "double", halo = { x = 2, y = { lo = 1, hi = 3 }, z = 1 }, halo_at = "behind" }
local b = field "b" { on = grid, type = "float", halo = { x = 1, z = { lo = 2 } }, order = "zxy", halo_at = "behind" }
local c = field "c" { on = grid, type = "int16_t", halo = 1 }
local d = field "d" { on = grid, type = "long double", halo = { y = 2 }, order = "yzx", halo_at = "behind" }
local e = field "e" { on = grid, type = "double", halo = 2 } -- has the kernels of a

return spec "behind" {
  exchange "star" { a, b, c, d, stencil = "star" },
  exchange "thin_star" { a, c, stencil = "star", width = 1 },
  exchange "across" { d },
  exchange "whole" { e },
}
