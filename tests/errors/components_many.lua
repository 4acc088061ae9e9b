local grid = cartesian { axes = "xyz" }
local u = field "u" { on = grid, type = "double", halo = 2, components = { 1001, "outermost" } }
return spec "test" { exchange "e" { u } }
