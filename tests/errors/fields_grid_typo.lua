local grid = cartesian { axes = "xyz" }
local u = fields { "u", onn = grid, type = "double", halo = 2 }
return spec "test" { exchange "e" { u } }
