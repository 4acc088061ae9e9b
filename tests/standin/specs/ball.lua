-- Wind and a tracer on the cubed sphere, which has six tiles; see ../scale.c.
local grid = cubed_sphere { axes = "xyz", cells = { z = 5 } }
local u, v, q = fields { "u", "v", "q", on = grid, type = "double", halo = { x = 2, y = 2 } }
local wind = vector "wind" { u, v }

return spec "ball" { exchange "all" { u, v, q } }
