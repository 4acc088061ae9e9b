local radius = param "radius" { default = 0, min = 1, max = 8 }
local grid = cartesian { axes = "xy" }
return spec "test" { exchange "e" { field "u" { on = grid, type = "double", halo = radius } } }
