local grid = fold { axes = "xy", side = "+y", pivot = "corner" }
local u, v = field "u" { on = grid, type = "double", at = { x = "both" } }, field "v" { on = grid, type = "double", at = "both" }
return spec "test" { exchange "e" { u, v, only = "shared" } }
