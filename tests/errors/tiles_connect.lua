local grid = tiles { axes = "xy", names = { "a", "b" }, connect = { "a", "+x", "b", "-x" } }
local other = tiles { axes = "xy", names = { "a", "b" }, connect = "a+x b-x" }
local third = tiles { axes = "xy", names = { "a", "b" }, connect = { { "a", "+x", "b", "-x", alng = { y = "-y" } } } }
local fourth = tiles { axes = "xy", names = { "a", "b" }, connect = { first = { "a", "+x", "b", "-x" } } }
local u = field "u" { on = grid, type = "double", halo = 1 }
return spec "test" { exchange "e" { u } }
