local grid = cartesian { axes = "xy" }
local a = field "a" { on = grid, type = "double", halo = 1, halo_at = "behind" }
return spec "shelf" { exchange "state" { a, stencil = "star" } }
