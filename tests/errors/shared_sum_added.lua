local grid = cartesian { axes = "xy" }
local u = field "u" { on = grid, type = "double", halo = 1, at = { x = "both" } }
return spec "test" { exchange "e" { u, only = "shared", agree = "sum", op = "add" } }
