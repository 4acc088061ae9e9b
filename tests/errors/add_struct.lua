local grid = cartesian { axes = "xy" }
local cell = struct { name = "cell", header = "cell.h", size = 8, align = 8 }
local u = field "u" { on = grid, type = cell, halo = 1 }
local wet = field "wet" { on = grid, type = "bool", halo = 1 }
return spec "test" { exchange "e" { u, wet, op = "add" } }
