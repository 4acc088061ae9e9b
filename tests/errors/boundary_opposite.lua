local grid = cartesian { axes = "xy" }
local wet = field "wet" { on = grid, type = "bool", halo = 1 }
return spec "test" { exchange "e" { wet, boundary = { x = "mirror", y = { hi = "antimirror" } } } }
