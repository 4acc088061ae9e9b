local grid = cartesian { axes = "xyz" }
local u = field "u" { on = grid, type = "double", hallo = 2 }
return spec "test" { exchange "e" { u } }
