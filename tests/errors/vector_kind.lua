local grid = cartesian { axes = "xy" }
local u, v = fields { "u", "v", on = grid, type = "double", halo = 1 }
local wind = vector "wind" { u, v, kind = "pseudo" }
local other = vector "other" { u, v, kind = true }
return spec "test" { exchange "e" { u, v } }
