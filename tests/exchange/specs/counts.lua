-- Integers that travel shorter than they are, if they fit.
local grid = cartesian { axes = "xy", periodic = "xy" }
local n = field "n" { on = grid, type = "int", halo = 1 }
local m = field "m" { on = grid, type = "uint64_t", halo = 1, components = { 2, "outermost" } }
local k = field "k" { on = grid, type = "short", halo = 1, components = { 3, "innermost" } }
return spec "counts" { exchange "all" { { n, wire = "int16" }, { m, wire = "int32" }, { k, wire = "int8" } } }
