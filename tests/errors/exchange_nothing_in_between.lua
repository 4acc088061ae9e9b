local grid = cartesian { axes = "xyz" }
local u = field "u" { on = grid, type = "double", halo = 2 }
local v
return spec "test" { exchange "e" { u, v, u } }
