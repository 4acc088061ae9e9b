local grid = cartesian { axes = "xy" }
local u, v, w = fields { "u", "v", "w", on = grid, type = "double", halo = 1 }
local wind = vector "wind" { u, v, w }
return spec "test" { exchange "e" { u, v, w } }
