local grid = cartesian { axes = "xy" }
local u, v = fields { "u", "v", on = grid, type = "double", halo = 1 }
vector "wind" { u }
vector "wind" { v }
return spec "test" { exchange "e" { u, v } }
