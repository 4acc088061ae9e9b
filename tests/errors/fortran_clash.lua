-- options: --emit c,fortran
local grid = cartesian { axes = "xy" }
local u = field "u" { on = grid, type = "double", halo = 1 }
return spec "flow" { exchange "halo" { u }, exchange "a" { u }, exchange "a_blocks" { u } }
