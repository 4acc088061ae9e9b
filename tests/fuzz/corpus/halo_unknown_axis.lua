local grid = cartesian { axes = "xyz" }
local u = field "u" { on = grid, type = "double", halo = { x = 2, w = 1 } }
return spec "test" { exchange "e" { u } }
