local grid = cartesian { axes = "xy" }
local p = field "p" { on = grid, type = "double", halo = 1 }
local u = field "u" { on = grid, type = "double", halo = 1, memory = "cuda" }
return spec "test" { exchange "e" { p, u, boundary = "mirror" } }
