local grid = cartesian { axes = "xy" }
local u = field "u" { on = grid, type = "double", halo = 2, at = { x = 0.5 } }
return spec "test" { exchange "e" { u } }
