local grid = cartesian { axes = "xy", periodic = "x" }
local u = field "u" { on = grid, type = "double", halo = 2 }
local state = exchange "state" { u, boundary = "mirror" }
return spec "test" {
  state,
  cycle "advance" {
    exchange = state,
    step "half" { reads = { u = 1 }, writes = { "u" } },
    step "whole" { reads = { u = 1 }, writes = { "u" } },
  },
}
