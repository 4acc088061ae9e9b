local grid = cartesian { axes = "xyz" }
local u = field "u" { on = grid, typ = "double", halo = 2 }
return spec "test" { exchange "e" { u } }
