local grid = cartesian { axes = "xy" }
local u = field "u" { on = grid, type = "double", halo = 1, halo_at = "behnd" }
local v = field "v" { on = grid, type = "double", halo = 1, halo_at = 2 }
return spec "test" { exchange "e" { u, v, stencil = "star" } }
