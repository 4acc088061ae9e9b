-- What the bug of nodes.c is seeded into.
local grid = index_list { axes = { "node" } }
local t = field "t" { on = grid, type = "double" }

return spec "mesh" { exchange "heat" { t } }
