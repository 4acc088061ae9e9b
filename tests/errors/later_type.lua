local grid = cartesian { axes = "xyz" }
local u = field "u" { on = grid, type = "bool", halo = 2 }
return spec "test" { exchange "e" { u } }
