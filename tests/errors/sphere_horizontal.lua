local grid = cubed_sphere { axes = "xyz", horizontal = "xyz" }
local other = cubed_sphere { axes = "x" }
local u = field "u" { on = grid, type = "double", halo = 1 }
return spec "test" { exchange "e" { u } }
