local grid = cartesian { axes = "xy", periodic = "xy" }
local u = field "u" { on = grid, type = "double", halo = 2 }
local state = exchange "state" { u }
return spec "test" {
  state,
  cycle "advance" { exchange = state, step "diffuse" { reads = { v = 1 }, writes = { "w" } } },
}
