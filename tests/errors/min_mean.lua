local grid = cartesian { axes = "xy" }
local u = field "u" { on = grid, type = "double", at = "both" }
return spec "test" { exchange "e" { u, only = "shared", agree = "mean", op = "min" } }
