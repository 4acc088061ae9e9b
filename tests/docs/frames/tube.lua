local grid = cartesian { axes = "xy", fastest = "x", periodic = "x" }
local t = field "t" { on = grid, type = "double", halo = 1 }
local n = field "n" { on = grid, type = "int", halo = 1 }
return spec "tube" { exchange "all" { t, n, boundary = { y = "hook" } } }
