-- Eight fields in a box; see ../scale.c.
local grid = cartesian { axes = "xyz", periodic = "xyz" }
local a, b, c, d, e, f, g, h = fields { "a", "b", "c", "d", "e", "f", "g", "h", on = grid, type = "double", halo = 1 }

return spec "many" { exchange "all" { a, b, c, d, e, f, g, h } }
