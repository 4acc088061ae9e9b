local grid = cartesian { axes = "xy" }
local u = field "u" { on = grid, type = "double", halo = 1 }
return spec "flow_fortran" { exchange "e" { u } }
