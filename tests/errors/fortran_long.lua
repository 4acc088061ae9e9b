-- options: --emit c,fortran
local grid = cartesian { axes = "xy" }
local u = field "u" { on = grid, type = "double", halo = 1 }
return spec "flow_in_a_channel_between_walls" { exchange "velocity_of_the_air" { u } }
