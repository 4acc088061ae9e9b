local grid = fold { axes = "xyz", side = "+y", along = "y", pivot = "corner" }
local other = fold { axes = "xyz", side = "+y", along = "xz", pivot = "corner" }
local line = fold { axes = "x", side = "+x", pivot = "corner" }
local h = field "h" { on = grid, type = "double", halo = 1 }
return spec "test" { exchange "e" { h } }
