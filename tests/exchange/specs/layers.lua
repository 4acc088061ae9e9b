-- What statistics cost: stats_cost.c.
local grid = cartesian { axes = "xyz", fastest = "x", periodic = "xyz" }
local u = field "u" { on = grid, type = "double", halo = 3 }
return spec "layers" { exchange "all" { u } }
