-- options: --emit c,python
local grid = cartesian { axes = "xyz" }
local u = field "u" { on = grid, type = "double", halo = 2 }
return spec "numpy" { exchange "velocity" { u } }
