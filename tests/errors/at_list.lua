local grid = cartesian { axes = "xy" }
local u = field "u" { on = grid, type = "double", halo = 2, at = { "low", "center" } }
return spec "test" { exchange "e" { u } }
