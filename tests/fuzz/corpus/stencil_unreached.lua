local grid = cartesian { axes = "xy" }
local u = field "u" { on = grid, type = "double", halo = { x = 1 } }
local v = field "v" { on = grid, type = "double", halo = { y = { lo = 1 } } }
return spec "test" { exchange "e" { u, v, stencil = { { 1, 0 }, { 0, 1 }, { 1, -1 } } } }
