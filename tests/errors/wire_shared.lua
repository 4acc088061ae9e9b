local grid = cartesian { axes = "xyz" }
local u = field "u" { on = grid, type = "double", at = "both" }
return spec "test" { exchange "e" { { u, wire = "float" }, only = "shared" } }
