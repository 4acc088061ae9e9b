-- Two fields that hand their values on to each other, step after step, on a torus; and two with a deep halo, for a cycle.
local grid = cartesian { axes = "xyz", fastest = "z", periodic = "xyz" }
local u, v = fields { "u", "v", on = grid, type = "double", halo = 1 }
local w, next = fields { "w", "next", on = grid, type = "double", halo = 4 }
local deep = exchange "deep" { w }

return spec "relay" {
  exchange "out" { u },
  exchange "home" { v },
  deep,
  cycle "advance" {
    exchange = deep,
    step "spread" { reads = { w = 1 }, writes = { "next" } },
    step "keep" { reads = { next = 0 }, writes = { "w" } },
  },
}
