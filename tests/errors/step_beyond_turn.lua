local grid = cubed_sphere { axes = "xy" }
local u = field "u" { on = grid, type = "double", halo = 2 }
local state = exchange "state" { u }
return spec "test" {
  state,
  cycle "advance" {
    exchange = state,
    step "half" { reads = { u = 1 }, writes = { "u" } },
    step "whole" { reads = { u = 1 }, writes = { "u" } },
  },
}
