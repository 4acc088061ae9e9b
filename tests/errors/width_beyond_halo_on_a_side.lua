local grid = cartesian { axes = "xyz" }
local u = field "u" { on = grid, type = "double", halo = { x = 2, y = 1 } }
return spec "test" { exchange "e" { u, width = { x = 1, y = { lo = 1, hi = 2 } } } }
