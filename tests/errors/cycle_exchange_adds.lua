local grid = cartesian { axes = "xy", periodic = "xy" }
local u = field "u" { on = grid, type = "double", halo = 2 }
local state = exchange "state" { u, op = "add" }
return spec "test" { state, cycle "advance" { exchange = state, step "diffuse" { reads = { u = 1 }, writes = { "u" } } } }
