local grid = cartesian { axes = "xy" }
local u = field "u" { on = grid, type = "double", halo = 1, components = 3, directions = { { 1, 0 }, { 0, 1 } } }
return spec "test" { exchange "e" { u } }
