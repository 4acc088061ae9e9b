local grid = index_list { axes = { "cell", "level" }, decomposed = { "cell" } }
local u = field "u" { on = grid, type = "double" }
return spec "test" { exchange "e" { u } }
