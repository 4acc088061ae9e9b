local grid = cartesian { axes = "xyz" }
local u = field "u" { on = grid, type = "real(8)", halo = 2 }
return spec "test" { exchange "e" { u } }
