local grid = cartesian { axes = "xyz" }
local u = field "u" { on = grid, type = "double", halo = 1.5 }
return spec "test" { exchange "e" { u } }
