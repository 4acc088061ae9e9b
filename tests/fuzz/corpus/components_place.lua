local grid = cartesian { axes = "xyz" }
local u = field "u" { on = grid, type = "double", halo = 2, components = { 5, "inermost" } }
return spec "test" { exchange "e" { u } }
