local grid = cartesian { axes = "xy" }
local u = field "u" { on = grid, type = "bool", at = "both" }
return spec "test" { exchange "e" { u, only = "shared", agree = "sum" } }
