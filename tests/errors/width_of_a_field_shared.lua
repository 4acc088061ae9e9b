local grid = cartesian { axes = "xyz" }
local u, v = fields { "u", "v", on = grid, type = "double", at = "both" }
return spec "test" { exchange "e" { u, { v, width = 1 }, only = "shared" } }
