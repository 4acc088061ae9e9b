local grid = cartesian { axes = "xy" }
local u, v = fields { "u", "v", on = grid, type = "double", halo = 1 }
local wind = vector "wind" { u, v, sign = 1 }
return spec "test" { exchange "e" { wind } }
