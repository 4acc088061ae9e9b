local grid = index_list { axes = { "node" } }
local cell = struct { name = "cell", header = "cell.h", size = 8, align = 8 }
local c = field "c" { on = grid, type = cell }
return spec "test" { exchange "e" { c, op = "max" } }
