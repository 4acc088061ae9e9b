-- options: --emit c,fortran
local grid = cartesian { axes = "xy" }
local u = field "u" { on = grid, type = "int", halo = 1 }
return spec "c_funptr" { exchange "all" { u } }
