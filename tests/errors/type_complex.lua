local grid = cartesian { axes = "xyz" }
local u = field "u" { on = grid, type = "float _Complex", halo = 2 }
return spec "test" { exchange "e" { u } }
