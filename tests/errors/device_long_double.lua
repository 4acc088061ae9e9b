local grid = cartesian { axes = "xy" }
local a, b = fields { "a", "b", on = grid, type = "long double", halo = 1, memory = "cuda" }
return spec "test" { exchange "e" { a, b } }
