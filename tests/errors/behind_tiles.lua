local grid = tiles { axes = "xy", names = { "a", "b" }, connect = { { "a", "+x", "b", "-x" } } }
local u = field "u" { on = grid, type = "double", halo = 1, halo_at = "behind" }
return spec "test" { exchange "e" { u, stencil = "star" } }
