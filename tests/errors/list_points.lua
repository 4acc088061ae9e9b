local grid = index_list { axes = { "cell", "level" }, cells = { cell = 1000, level = 40 } }
local u = field "u" { on = grid, type = "double" }
return spec "test" { exchange "e" { u } }
