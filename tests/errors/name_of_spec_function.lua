local grid = cartesian { axes = "xy" }
local p = field "p" { on = grid, type = "double", halo = 1 }
return spec "strcmp" { exchange "e" { p } }
