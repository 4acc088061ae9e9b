-- options: --emit c,fortran
local grid = cartesian { axes = "xy" }
local like = { on = grid, type = "double", halo = 1 }
local halo, shape, all, take = field "flow_halo" (like), field "Flow_Shape" (like), field "flow_all" (like), field "f_take_all" (like)
return spec "flow" { exchange "all" { halo, shape, all, take } }
