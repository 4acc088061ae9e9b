local grid = cartesian { axes = "xyz" }
local n = field "n" { on = grid, type = "int", halo = 2 }
return spec "test" { exchange "e" { n, wire = "int16", error = 1e-6 } }
