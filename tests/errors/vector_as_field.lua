local grid = cartesian { axes = "xy" }
local v = vector "vel" { components = 2, on = grid, type = "double", halo = 1 }
return spec "v" { exchange "all" { v } }
