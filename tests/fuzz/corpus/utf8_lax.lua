local grid = cartesian { axes = "xy" }
local p = field "p" { on = grid, type = "double", halo = 1 }
return spec(utf8.char(0x7FFFFFFF)) { exchange "e" { p } }
