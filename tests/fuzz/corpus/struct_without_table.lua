local grid = cartesian { axes = "xyz" }
local cell = struct()
local u = field "u" { on = grid, type = cell, halo = 1 }
return spec "test" { exchange "e" { u } }
