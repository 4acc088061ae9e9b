local grid = cartesian { axes = "xy" }
local u = field "u" { on = grid, type = "double", halo = 1 }
local other = spec "other" { exchange "e" { u } }
return spec "test" { other }
