-- options: -D radius=4
local grid = cartesian { axes = "xy" }
return spec "test" { exchange "e" { field "u" { on = grid, type = "double", halo = 1 } } }
