local grid = cartesian { axes = "xy" }
local u = field "u" { on = grid, type = "double", halo = 1 }
local list = { u, nil }
return spec "test" { exchange "e" (list) }
