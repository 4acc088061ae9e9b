local grid = cartesian { axes = "xyz" }
local temp, salt = fields { "temp", "salt", on = grid, type = "double", halo = 2 }
return spec "test" { exchange "e" { tmep } }
