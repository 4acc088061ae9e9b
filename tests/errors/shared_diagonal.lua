local grid = tiles { axes = "xyz", names = { "a" }, connect = { { "a", "+x", "a", "+x", along = { y = "z", z = "y" } } } }
local u = field "u" { on = grid, type = "double", at = "both" }
return spec "test" { exchange "e" { u, only = "shared" } }
