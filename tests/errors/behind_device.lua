local grid = cartesian { axes = "xy" }
local u, v = fields { "u", "v", on = grid, type = "double", halo = 1, halo_at = "behind", memory = "cuda" }
return spec "test" { exchange "e" { u, v, stencil = "star" } }
