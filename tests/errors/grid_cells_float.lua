local grid = cartesian { axes = "xyz", cells = { x = 64.0, y = 1e3, z = "79" } }
local u = field "u" { on = grid, type = "double", halo = 2 }
return spec "test" { exchange "e" { u } }
