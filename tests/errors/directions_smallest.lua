local grid = cartesian { axes = "xy" }
local u = field "u" { on = grid, type = "double", halo = 1, directions = { { 1, 0 }, { math.mininteger, 0 } } }
return spec "test" { exchange "e" { u } }
