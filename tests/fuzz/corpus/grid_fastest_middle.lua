local grid = cartesian { axes = "xyz", fastest = "y" }
local u = field "u" { on = grid, type = "double", halo = 2 }
return spec "test" { exchange "e" { u } }
