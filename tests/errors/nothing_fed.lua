local grid = cartesian { axes = "xyz", decomposed = "yz" }
local u = field "u" { on = grid, type = "double", halo = { x = 2 } }
return spec "test" { exchange "e" { u } }
