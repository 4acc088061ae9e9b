local grid = cartesian { axes = "xy", periodic = "xy" }
local u = field "u" { on = grid, type = "double", halo = 2 }
local state = exchange "state" { u }
return spec "test" {
  state,
  cycle "advance" {
    exchange = state,
    step "half" { reads = { u = 1 }, writes = { "u" } },
    step "whole" { reads = { u = { x = { lo = 1, hi = 2 } } }, writes = { "u" } },
  },
}
