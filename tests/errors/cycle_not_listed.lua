local grid = cartesian { axes = "xy", periodic = "xy" }
local u = field "u" { on = grid, type = "double", halo = 2 }
local state = exchange "state" { u }
cycle "advance" { exchange = state, step "diffuse" { reads = { u = 1 }, writes = { "u" } } }
return spec "test" { state }
