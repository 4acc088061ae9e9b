local grid = cubed_sphere { axes = "xy" }
local u, v = fields { "u", "v", on = grid, type = "double", halo = 1, memory = "cuda" }
vector "wind" { u, v }
return spec "test" { exchange "e" { u, v, corners = "x" } }
