local grid = index_list { axes = { "cell", "level", "month" } }
local u = field "u" { on = grid, type = "double" }
return spec "test" { exchange "e" { u } }
