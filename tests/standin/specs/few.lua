-- One field in a box; see ../scale.c.
local grid = cartesian { axes = "xyz", periodic = "xyz" }
local u = field "u" { on = grid, type = "double", halo = 1 }

return spec "few" { exchange "all" { u } }
