local grid = cartesian { axes = "xy", periodic = "xy" }
local u = field "u" { on = grid, type = "double", halo = 2 }
local state = exchange "state" { u, wire = "float" }
return spec "test" {
  state,
  cycle "advance" {
    exchange = state,
    step "half" { reads = { u = 1 }, writes = { "u" } },
    step "whole" { reads = { u = 1 }, writes = { "u" } },
  },
}
