local grid = cartesian { axes = "xyz" }
local u = field "u" { on = grid, type = "double", halo = 2 }
local n = field "n" { on = grid, type = "int", halo = 2 }
return spec "test" { exchange "e" { u, n, wire = "half" } }
