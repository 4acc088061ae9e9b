-- A cycle of two steps that reach differently, on points at different places: h in cells, q on all faces along x.
-- Periodic along x, walls across y.  The halo is deep enough for five cycles.
local grid = cartesian { axes = "xy", periodic = "x" }
local halo = { x = 5, y = { lo = 15, hi = 5 } }
local h = field "h" { on = grid, type = "uint64_t", halo = halo }
local q = field "q" { on = grid, type = "uint64_t", halo = halo, at = { x = "both" } }
local state = exchange "state" { h, q }

return spec "march" {
  state,
  cycle "advance" {
    exchange = state,
    step "slope" { reads = { q = 0, h = { x = { lo = 1 }, y = 1 } }, writes = { "q" } },
    step "height" { reads = { h = 0, q = { x = { hi = 1 }, y = { lo = 2 } } }, writes = { "h" }, stencil = "star" },
  },
}
