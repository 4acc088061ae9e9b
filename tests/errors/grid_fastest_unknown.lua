local grid = cartesian { axes = { "lon", "lat" }, fastest = "lot" }
local u = field "u" { on = grid, type = "double", halo = 2 }
return spec "test" { exchange "e" { u } }
