-- Halos behind the owned points: in several orders of memory, of unequal depth, beside one around them, and sums of them.
local grid = cartesian { axes = "xyz", fastest = "z", periodic = "xz" }

local a = field "a" { on = grid, type = "double", halo = { x = 2, y = { lo = 1, hi = 3 }, z = 1 }, halo_at = "behind",
  padding = { x = 2, z = 1 } }
local b = field "b" { on = grid, type = "float", halo = { x = 1, y = 2 }, halo_at = "behind", order = "yxz",
  at = { x = "both", y = "low" }, components = 3 }
local c = field "c" { on = grid, type = "int16_t", halo = 2 }
local d = field "d" { on = grid, type = "double", halo = { x = 2 }, halo_at = "behind", at = { x = "high" } }

return spec "planes" {
  exchange "star" { a, b, c, stencil = "star" },
  exchange "some" { a, c, stencil = { { -1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } },
  exchange "back" { a, b, stencil = "star", op = "add" },
  exchange "mixture" { c, d },
  exchange "faces" { b, only = "shared" },
  exchange "narrow" { a, c, stencil = "star", width = 1 },
}
