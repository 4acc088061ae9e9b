-- Two cycles that write the same field, one behind the other, and one of another field.
local grid = cartesian { axes = "x", periodic = "x" }
local u, v = fields { "u", "v", on = grid, type = "uint64_t", halo = 4 }
local state, other = exchange "state" { u }, exchange "other" { v }
return spec "relay" {
  state,
  other,
  cycle "first" { exchange = state, step "near" { reads = { u = 1 }, writes = { "u" } } },
  cycle "second" { exchange = state, step "far" { reads = { u = 2 }, writes = { "u" } } },
  cycle "third" { exchange = other, step "apart" { reads = { v = 1 }, writes = { "v" } } },
}
