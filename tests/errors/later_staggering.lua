local grid = cartesian { axes = "xyz" }
local u = field "u" { on = grid, type = "double", halo = 2, at = "both" }
return spec "test" { exchange "e" { u } }
