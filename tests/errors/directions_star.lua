local grid = cartesian { axes = "xy" }
local u = field "u" { on = grid, type = "double", halo = 1, directions = { { 0, 1 }, { 0, -1 } } }
return spec "test" { exchange "e" { u, width = { x = 1 }, stencil = "star" } }
