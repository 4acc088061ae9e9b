local grid = cartesian { axes = "xyz" }
local u = field "u" { on = grid, type = "double", halo = 2 }
local p = field "p" { on = grid, type = "float", halo = 1 }
return spec "test" { exchange "e" { u } }
