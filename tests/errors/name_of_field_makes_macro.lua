local grid = cartesian { axes = "xy" }
local p = field "read" { on = grid, type = "double", halo = 1 }
return spec "prot" { exchange "e" { p } }
