local grid = cartesian { axes = "xyz" }
local u = field "u" { on = grid, type = "double", halo = 0/0 }
return spec "test" { exchange "e" { u } }
