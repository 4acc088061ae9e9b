local grid = cartesian { axes = "xy" }
local u = field "u" { on = grid, type = "double", halo = 1, memory = "device" }
return spec "test" { exchange "e" { u } }
