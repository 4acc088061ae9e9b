local grid = fold { axes = "xy", side = "+y", pivot = "corner" }
local u, v = field "u" { on = grid, type = "float", at = { x = "both" } }, field "v" { on = grid, type = "float", at = { y = "both" } }
local wind = vector "wind" { u, v }
return spec "test" { exchange "e" { u, v, only = "shared", op = "max" } }
