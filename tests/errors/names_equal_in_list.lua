local grid = cartesian { axes = "xyz" }
local u, v = fields { "u", "u", on = grid, type = "float", halo = 1 }
return spec "test" { exchange "e" { u, v } }
