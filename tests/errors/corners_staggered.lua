local grid = cubed_sphere { axes = "xy" }
local u = field "u" { on = grid, type = "double", halo = 1, at = { x = "both" } }
return spec "test" { exchange "e" { u, corners = "x" } }
