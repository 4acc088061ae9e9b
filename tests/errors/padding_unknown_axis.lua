local grid = cartesian { axes = "xyz" }
local u = field "u" { on = grid, type = "double", halo = 2, padding = { w = 1 } }
return spec "test" { exchange "e" { u } }
