local grid = cartesian { axes = "xyz" }
local u, v = fields { "u", "v", on = grid, type = "double", halo = 2 }
local list = { u }
list[3] = v
return spec "test" { exchange "e" (list) }
