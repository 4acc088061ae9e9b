local grid = cartesian { axes = "xy" }
local z = field "z" { on = grid, type = "complex64", halo = 1 }
return spec "test" { exchange "e" { z, op = "min" } }
