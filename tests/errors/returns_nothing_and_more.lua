local grid = cartesian { axes = "xyz", periodc = "x" }
local u = field "u" { on = grid, type = "double", halo = 2 }
spec "test" { exchange "e" { u, width = "1" } }
