-- A flame that eats its way through a mixture: heat and fuel spread between cells, and fuel burns where it is hot.
local grid = cartesian { axes = "xy", fastest = "x" }
local t = field "t" { on = grid, type = "double", halo = 1 }
local fuel = field "fuel" { on = grid, type = "double", halo = 1 }
return spec "flame" { exchange "mixture" { t, fuel, stencil = "star", boundary = "copy" } }
