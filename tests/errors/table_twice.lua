local grid = cartesian { axes = "xyz" }
local p = field "p" { on = grid, type = "double" }
local q = p { halo = 2 }
