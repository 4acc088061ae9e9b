local grid = cartesian { axes = "xyz", cells = { z = 1000000001 } }
local u = field "u" { on = grid, type = "double", halo = 2 }
return spec "test" { exchange "e" { u } }
