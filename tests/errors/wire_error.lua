local grid = cartesian { axes = "xyz" }
local u, v = fields { "u", "v", on = grid, type = "double", halo = 2 }
return spec "test" { exchange "e" { { u, wire = "half" }, { v, wire = "bfloat16", error = 0.004 }, error = 1e-4 } }
