-- options: -D raduis=4 -D depth=2 -D depth=3
local radius = param "radius" { default = 2, min = 1, max = 8 }
local depth = param "depth" { default = 1 }
local grid = cartesian { axes = "xy" }
return spec "test" { exchange "e" { field "u" { on = grid, type = "double", halo = radius + depth } } }
