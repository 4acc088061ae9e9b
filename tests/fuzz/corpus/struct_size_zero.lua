local grid = cartesian { axes = "xyz" }
local cell = struct { name = "cell", header = "cell.h", size = 0, align = 8 }
local u = field "u" { on = grid, type = cell, halo = 1 }
return spec "test" { exchange "e" { u } }
