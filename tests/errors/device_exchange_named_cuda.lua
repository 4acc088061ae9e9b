local grid = cartesian { axes = "xy" }
local u = field "u" { on = grid, type = "double", halo = 1, memory = "cuda" }
return spec "test" { exchange "cuda" { u } }
