-- One component, wherever it may lie, for files.c.
local grid = cartesian { axes = "xy" }
local inner = field "inner" { on = grid, type = "float", halo = 1, components = 1, at = { x = "both", y = "high" } }
local between = field "between" { on = grid, type = "double", halo = 1, components = { 1, after = "x" }, order = "xy" }
local outer = field "outer" { on = grid, type = "float", halo = 1, components = { 1, "outermost" } }
return spec "ones" { exchange "all" { inner, between, outer } }
