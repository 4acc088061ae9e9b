local grid = cartesian { axes = "xyz" }
local u = field "int16_t" { on = grid, type = "double", halo = 2 }
return spec "test" { exchange "e" { u } }
