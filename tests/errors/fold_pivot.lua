local grid = fold { axes = "xyz", side = "+y", pivot = "T" }
local none = fold { axes = "xyz", side = "+y" }
local half = fold { axes = "xyz", side = "+y", pivot = { x = "face" } }
local other = fold { axes = "xyz", side = "+y", pivot = { x = "face", y = "corner" } }
local third = fold { axes = "xyz", side = "+y", pivot = { x = "face", z = "center" } }
local h = field "h" { on = grid, type = "double", halo = 1 }
return spec "test" { exchange "e" { h } }
