local grid = index_list { axes = { "cell", "level" } }
local u = field "u" { on = grid, type = "double", halo = { cell = 2 } }
local v = field "v" { on = grid, type = "double", at = { cell = "low" } }
local w = field "w" { on = grid, type = "double", directions = { { 0, 0 }, { 1, 0 } } }
return spec "test" { exchange "e" { u, v, w } }
