local grid = cartesian { axes = "xy" }
local u, v, w = fields { "u", "v", "w", on = grid, type = "double", halo = 1, at = { x = "both", y = "botth", z = "low" } }
return spec "test" { exchange "e" { u, v, w } }
