local grid = cartesian { axes = { "x", 2 } }
local u = field "u" { on = grid, type = "double", halo = 2 }
return spec "test" { exchange "e" { u } }
