-- Two cycles that write the same field, one behind the other.
local grid = cartesian { axes = "x", periodic = "x" }
local u = field "u" { on = grid, type = "uint64_t", halo = 4 }
local state = exchange "state" { u }
return spec "relay" {
  state,
  cycle "first" { exchange = state, step "near" { reads = { u = 1 }, writes = { "u" } } },
  cycle "second" { exchange = state, step "far" { reads = { u = 2 }, writes = { "u" } } },
}
