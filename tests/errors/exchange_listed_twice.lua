local grid = cartesian { axes = "xyz" }
local u = field "u" { on = grid, type = "double", halo = 2 }
local e = exchange "e" { u }
return spec "test" { e, e }
