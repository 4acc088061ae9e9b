local grid = cartesian { axes = "xy", periodic = "xy" }
local u = field "u" { on = grid, type = "double", halo = 2 }
local state = exchange "state" { u, stencil = "star" }
return spec "test" {
  state,
  cycle "advance" {
    exchange = state,
    step "half" { reads = { u = 1 }, writes = { "u" }, stencil = "star" },
    step "whole" { reads = { u = 1 }, writes = { "u" }, stencil = "star" },
  },
}
