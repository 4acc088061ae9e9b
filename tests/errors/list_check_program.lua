-- options: --emit c,check
local grid = index_list { axes = { "cell" } }
local u = field "u" { on = grid, type = "double" }
return spec "test" { exchange "e" { u } }
