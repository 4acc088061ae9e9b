local grid = cubed_sphere { axes = "xyz", horizontal = "xy" }
local u = field "u" { on = grid, type = "double", halo = 1 }
return spec "test" { exchange "e" { u, corners = "z" } }
