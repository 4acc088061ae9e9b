local grid = cartesian { axes = "xyz" }
local u = field "u" { on = grid, type = "double", halo = { x = { low = 2, hi = 1 } } }
return spec "test" { exchange "e" { u } }
