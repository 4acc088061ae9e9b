local grid = cartesian { axes = "xy" }
local u = field "u" { on = grid, type = "double", at = { x = "both" }, memory = "cuda" }
return spec "test" { exchange "e" { u, only = "shared" } }
