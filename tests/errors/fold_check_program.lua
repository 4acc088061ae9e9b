-- options: --emit c,check
local grid = fold { axes = "xy", side = "+y", pivot = "corner" }
local u = field "u" { on = grid, type = "double", halo = 1 }
return spec "test" { exchange "e" { u } }
