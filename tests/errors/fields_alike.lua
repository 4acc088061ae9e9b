local grid = cartesian { axes = "xyz" }
local u, v = fields { "u", "v", on = grid, type = "double", halo = 65, padding = { x = -1 }, components = 0 }
return spec "test" { exchange "e" { u, v } }
