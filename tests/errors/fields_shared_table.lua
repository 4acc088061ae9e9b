local grid = cartesian { axes = "xyz" }
local u, v = fields { "u", "v", on = grid, tpe = "double", halo = -1 }
return spec "test" { exchange "e" { u, v } }
