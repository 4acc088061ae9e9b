local grid = index_list { axes = { "cell" }, blocks = "first-fastest" }
local u = field "u" { on = grid, type = "double" }
return spec "test" { exchange "e" { u } }
