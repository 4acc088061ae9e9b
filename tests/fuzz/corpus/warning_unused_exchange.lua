local grid = cartesian { axes = "xyz" }
local u = field "u" { on = grid, type = "double", halo = 2 }
local other = exchange "other" { u, stencil = "star" }
return spec "test" { exchange "e" { u } }
