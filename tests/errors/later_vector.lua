local grid = cartesian { axes = "xyz" }
local u = field "u" { on = grid, type = "double", halo = 2 }
local wind = vector "wind" { u }
return spec "test" { exchange "e" { u } }
