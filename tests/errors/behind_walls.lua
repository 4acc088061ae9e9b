local grid = cartesian { axes = "xy", periodic = "x" }
local u = field "u" { on = grid, type = "double", halo = 1, halo_at = "behind" }
local v = field "v" { on = grid, type = "double", halo = { x = 1 }, halo_at = "behind" }
local w = field "w" { on = grid, type = "double", halo = 1 }
return spec "test" {
  exchange "e" { u, v, w, stencil = "star", boundary = "zero" },
  exchange "low" { u, stencil = "star", boundary = { y = { lo = "mirror" } } },
}
