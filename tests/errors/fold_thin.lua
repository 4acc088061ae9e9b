local grid = fold { axes = "xy", side = "+y", pivot = "center", cells = { y = 2 } }
local h = field "h" { on = grid, type = "double", halo = 2 }
return spec "test" { exchange "e" { h } }
