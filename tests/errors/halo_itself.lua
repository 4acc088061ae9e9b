local grid = cartesian { axes = "xyz" }
local halo = { x = 2 }
halo.y = halo
local u = field "u" { on = grid, type = "double", halo = halo }
return spec "test" { exchange "e" { u } }
