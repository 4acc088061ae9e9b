-- options: --emit c,check --templates ../canary/override
local grid = two_tiles { axes = "xy" }
local u = field "u" { on = grid, type = "double", halo = 1 }
return spec "test" { exchange "e" { u } }
