local grid = cartesian { axes = "xy" }
local h = field "h" { on = grid, type = "half", halo = 1, memory = "cuda" }
return spec "test" { exchange "e" { h, op = "add" } }
