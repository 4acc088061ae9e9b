local grid = cubed_sphere { axes = "xy" }
local u = field "u" { on = grid, type = "double", halo = { x = 2, y = 1 } }
return spec "test" { exchange "e" { u, corners = "x" } }
