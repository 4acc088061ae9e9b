local grid = cubed_sphere { axes = "xy" }
local u = field "u" { on = grid, type = "double", halo = 1 }
return spec "test" { exchange "e" { u, op = "max", corners = "x" } }
