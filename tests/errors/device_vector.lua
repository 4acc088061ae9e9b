local grid = cartesian { axes = "xy" }
local u = field "u" { on = grid, type = "double", halo = 1 }
local v = field "v" { on = grid, type = "double", halo = 1, memory = "cuda" }
vector "wind" { u, v }
return spec "test" { exchange "e" { u, v } }
