local grid = cartesian { axes = "xy" }
local u = field "u" { on = grid, type = "double", halo = 1, halo_at = "behind" }
return spec "test" { exchange "plane" { u, stencil = "star" } }
