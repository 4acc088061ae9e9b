local grid = cartesian { axes = "xy" }
local u = field "u" { on = grid, type = "double", halo = 1, halo_at = "behind" }
local v = field "v" { on = grid, type = "double", halo = { x = 1 }, halo_at = "behind" }
return spec "test" { exchange "e" { u, v }, exchange "listed" { u, stencil = { { 1, 0 }, { -1, 1 } } } }
