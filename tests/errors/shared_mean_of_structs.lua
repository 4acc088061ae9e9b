local grid = cartesian { axes = "xy" }
local u = field "u" { on = grid, type = struct { name = "cell", header = "cell.h", size = 8, align = 8 }, at = "both" }
return spec "test" { exchange "e" { u, only = "shared", agree = "mean" } }
