local grid = cartesian { axes = "xyz" }
local cell = struct { name = "cell", size = 24, align = 8 }
local u = field "u" { on = grid, type = cell, halo = 1 }
return spec "test" { exchange "e" { u } }
