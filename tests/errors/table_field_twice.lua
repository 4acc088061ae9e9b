local grid = cartesian { axes = "xyz" }
local u, v = fields { "u", "v", on = grid, type = "double", halo = 2 }
return spec "test" { exchange "e" { u, { v, u, width = 1 } } }
