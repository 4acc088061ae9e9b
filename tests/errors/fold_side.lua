local grid = fold { axes = "xy", side = "north", pivot = "corner" }
local other = fold { axes = "xy", side = 2, pivot = "corner" }
local none = fold { axes = "xy", pivot = "corner" }
local h = field "h" { on = grid, type = "double", halo = 1 }
return spec "test" { exchange "e" { h } }
