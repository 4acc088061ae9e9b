-- The faces on the fold itself are those above the last cells.
local grid = fold { axes = "xy", side = "+y", pivot = "corner" }
local u, v = field "u" { on = grid, type = "double", halo = 1, at = { x = "low" } }, field "v" { on = grid, type = "double", halo = 1, at = { y = "low" } }
local wind = vector "wind" { u, v }
return spec "test" { exchange "e" { u, v } }
