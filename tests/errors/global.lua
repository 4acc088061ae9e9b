local grid = cartesian { axes = "xyz" }
u = field "u" { on = grid, type = "double" }
