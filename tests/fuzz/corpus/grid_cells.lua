local grid = cartesian { axes = "xyz", cells = { z = 0 } }
local u = field "u" { on = grid, type = "double", halo = 2 }
return spec "test" { exchange "e" { u } }
