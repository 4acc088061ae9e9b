local grid = cubed_sphere { axes = "xyz" }
local u, v = fields { "u", "v", on = grid, type = "double", halo = 2 }
local wind = vector "wind" { u, v }
return spec "sphere" { exchange "winds" { { u, wire = "float" }, v } }
