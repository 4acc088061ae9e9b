local grid = cartesian { axes = "αβ" }
return spec "test" { exchange "e" { field "p" { on = grid, type = "double", halo = 1 } } }
