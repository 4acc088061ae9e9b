local grid = cartesian { axes = "xyz" }
local u = field "hx_part" { on = grid, type = "double", halo = 2 }
return spec "test" { exchange "e" { u } }
