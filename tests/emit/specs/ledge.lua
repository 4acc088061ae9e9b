-- A field that lies on the line of a fold, and that no exchange takes across it: it keeps all its points.
local grid = fold { axes = "xyz", side = "+y", along = "x", pivot = { x = "center", y = "face" } }
local f = field "f" { on = grid, type = "float", halo = { x = 1, y = { lo = 1, hi = 0 }, z = { lo = 0, hi = 1 } }, at = { x = "both", y = "both", z = "both" } }
local g = field "g" { on = grid, type = "double", halo = 1, at = { y = "both" } }
return spec "ledge" { exchange "all" { f, g } }
