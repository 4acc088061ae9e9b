local grid = cartesian { axes = "xyz" }
local u = field "u" { on = grid, type = grid, halo = 1 }
return spec "test" { exchange "e" { u } }
