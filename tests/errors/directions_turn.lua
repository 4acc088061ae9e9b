-- options: --templates ../canary/override
local grid = two_tiles { axes = "xy" }
local u = field "u" { on = grid, type = "double", halo = 1, directions = { { 1, 0 }, { 0, 1 } } }
return spec "test" { exchange "e" { u } }
