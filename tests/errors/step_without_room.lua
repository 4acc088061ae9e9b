local grid = cartesian { axes = "xy", periodic = "xy" }
local u = field "u" { on = grid, type = "double", halo = 2 }
local r = field "r" { on = grid, type = "double" }
local state = exchange "state" { u }
return spec "test" {
  state,
  cycle "advance" {
    exchange = state,
    step "slope" { reads = { u = 1 }, writes = { "r" } },
    step "move" { reads = { r = 1, u = 0 }, writes = { "u" } },
  },
}
