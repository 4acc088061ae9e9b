local grid = cubed_sphere { axes = "xy" }
local u, v = fields { "u", "v", on = grid, type = "double", at = "both" }
local wind = vector "wind" { u, v }
return spec "test" { exchange "e" { u, v, only = "shared" } }
