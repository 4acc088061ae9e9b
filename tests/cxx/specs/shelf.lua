-- Halos behind the owned points: of unequal depth, in another order of memory, with components.
local grid = cartesian { axes = "xy", periodic = "x" }
local a = field "a" { on = grid, type = "double", halo = { x = 2, y = { lo = 1, hi = 3 } }, halo_at = "behind" }
local b = field "b" { on = grid, type = "float", halo = 1, halo_at = "behind", order = "yx", at = { y = "low" }, components = 2 }

return spec "shelf" { exchange "state" { a, b, stencil = "star" } }
