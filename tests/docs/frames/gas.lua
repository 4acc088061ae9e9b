local grid = cartesian { axes = "xyz", periodic = "xyz" }
local u, v, w = fields { "u", "v", "w", on = grid, type = "double", halo = 2, memory = "cuda" }
return spec "gas" { exchange "velocity" { u, v, w } }
