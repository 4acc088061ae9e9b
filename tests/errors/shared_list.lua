local grid = index_list { axes = "x" }
local u = field "u" { on = grid, type = "double" }
return spec "test" { exchange "e" { u, only = "shared" } }
