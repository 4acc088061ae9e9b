-- options: --emit c,fortran
local grid = cartesian { axes = "xy" }
local u = field "u" { on = grid, type = "double", halo = 1 }
return spec "f_take" { exchange "all" { u } }
