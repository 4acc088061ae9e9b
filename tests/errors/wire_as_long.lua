local grid = cartesian { axes = "xyz" }
local u, v = fields { "u", "v", on = grid, type = "float", halo = 2 }
return spec "test" { exchange "e" { u, { v, wire = "float" } } }
