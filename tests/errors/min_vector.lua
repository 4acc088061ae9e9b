local grid = cubed_sphere { axes = "xy" }
local u, v = fields { "u", "v", on = grid, type = "double", halo = 1 }
local wind = vector "wind" { u, v }
return spec "test" { exchange "e" { u, v, op = "min" } }
