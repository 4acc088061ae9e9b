local grid = fold { axes = "xy", side = "+y", pivot = "corner" }
local p, q = field "p" { on = grid, type = "double" }, field "q" { on = grid, type = "double", at = { y = "high" } }
return spec "test" { exchange "e" { q, p, only = "shared" } }
