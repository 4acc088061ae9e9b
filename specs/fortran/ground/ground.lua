-- Heat in the ground, whose rock is another one at every cell.
local grid = cartesian { axes = "xy", fastest = "x", periodic = "xy" }
local t = field "t" { on = grid, type = "double", halo = 1 }

return spec "ground" { exchange "heat" { t, stencil = "star" } }
