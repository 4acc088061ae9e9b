local grid = cartesian { axes = "xy" }
local p = field "p" { on = grid, type = "double", halo = 1 }
local function winds() return fields { "u", "v", on = grid, type = "double", halo = 1 } end
return spec "test" { exchange "e" { winds(), p } }
