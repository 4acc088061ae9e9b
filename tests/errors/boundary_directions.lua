local grid = cartesian { axes = "xy" }
local f = field "f" { on = grid, type = "double", halo = 1, directions = { { 1, 0 }, { -1, 0 }, { 0, 1 }, { 0, -1 } } }
return spec "test" { exchange "e" { f, boundary = { x = "zero", y = { hi = "mirror" } } } }
