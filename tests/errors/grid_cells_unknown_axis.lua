local grid = cartesian { axes = { "lon", "lat" }, cells = { lev = 79, lat2 = 180 } }
local u = field "u" { on = grid, type = "double", halo = 2 }
return spec "test" { exchange "e" { u } }
