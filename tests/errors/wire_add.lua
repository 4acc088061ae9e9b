local grid = cartesian { axes = "xyz", periodic = "xyz" }
local u = field "u" { on = grid, type = "double", halo = 2 }
return spec "test" { exchange "e" { u, op = "add", wire = "float" } }
