local grid = cartesian { axes = "xyz" }
local u = field "u" { on = grid, type = "int64", halo = 2 }
return spec "test" { exchange "e" { u } }
