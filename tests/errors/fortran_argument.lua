-- options: --emit c,fortran
local grid = cartesian { axes = "xy" }
local halo = field "halo" { on = grid, type = "double", halo = 1 }
local kind = field "C_Double" { on = grid, type = "double", halo = 1 }
return spec "masks" { exchange "all" { halo, kind } }
