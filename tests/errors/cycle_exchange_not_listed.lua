local grid = cartesian { axes = "xy", periodic = "xy" }
local u = field "u" { on = grid, type = "double", halo = 2 }
local state = exchange "state" { u }
local other = exchange "other" { u }
return spec "test" { other, cycle "advance" { exchange = state, step "diffuse" { reads = { u = 1 }, writes = { "u" } } } }
