local grid = tiles { axes = "xyz", names = { "a" }, connect = { { "a", "-z", "a", "+y", along = { x = "z", y = "x" } } } }
local u = field "u" { on = grid, type = "double", at = "both" }
return spec "test" { exchange "e" { u, only = "shared" } }
