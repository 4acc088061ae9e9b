local grid = cartesian { axes = "xy" }
local u = field "u" { on = grid, type = "bool", halo = 1 }
local v = field "v" { on = grid, type = "bool", halo = 1 }
local wind = vector "wind" { u, v }
return spec "test" { exchange "e" { u, v } }
