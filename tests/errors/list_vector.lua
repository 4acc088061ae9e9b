local grid = index_list { axes = { "cell" } }
local u = field "u" { on = grid, type = "double" }
local wind = vector "wind" { u }
return spec "test" { exchange "e" { u } }
