local grid = cartesian { axes = "xyz", periodic = "q" }
local u, v = fields {
  "u", "v",
  on = grid, type = "flaot",
  halo = { x = 2, y = { lo = 1, high = 1 } },
}
return spec "test" {
  exchange "e" { u, v, stencil = "bx" },
}
