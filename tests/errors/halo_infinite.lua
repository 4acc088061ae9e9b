local grid = cartesian { axes = "xyz" }
local u = field "u" { on = grid, type = "double", halo = math.huge }
return spec "test" { exchange "e" { u } }
