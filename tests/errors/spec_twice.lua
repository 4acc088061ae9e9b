local grid = cartesian { axes = "xyz" }
local u = field "u" { on = grid, type = "double", halo = 2 }
local first = spec "one" { exchange "e" { u } }
return spec "two" { exchange "f" { u } }
