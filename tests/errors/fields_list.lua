local grid = cartesian { axes = "xyz" }
local u, v = fields { "u", 2, on = grid, type = "double", halo = 2 }
return spec "test" { exchange "e" { u, v } }
