local u = field "u" { on = grid, type = "double", halo = 2 }
local grid = cartesian { axes = "xyz" }
return spec "test" { exchange "e" { u } }
