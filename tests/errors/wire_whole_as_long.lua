local grid = cartesian { axes = "xyz" }
local n = field "n" { on = grid, type = "short", halo = 2 }
return spec "test" { exchange "e" { n, wire = "int16" } }
