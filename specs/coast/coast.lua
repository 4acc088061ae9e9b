-- Heat in an ocean with islands: columns of water, and blocks of land that no rank has.  Periodic along x; walls across y.
local grid = cartesian { axes = "xy", fastest = "y", periodic = "x" }
local t = field "t" { on = grid, type = "double", halo = 1 }
return spec "coast" { exchange "heat" { t, stencil = "star" } }
