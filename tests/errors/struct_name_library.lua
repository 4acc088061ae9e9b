local grid = cartesian { axes = "xyz" }
local cell = struct { name = "MPI_Request", header = "cell.h", size = 8, align = 8 }
local u = field "u" { on = grid, type = cell, halo = 1 }
return spec "test" { exchange "e" { u } }
