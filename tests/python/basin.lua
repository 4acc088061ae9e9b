-- What Python may meet: types, orders in memory, components side by side and apart, faces, halos by side.
local grid = cartesian { axes = "xyz", fastest = "x", periodic = "xz" }
local u, v, w = fields { "u", "v", "w", on = grid, type = "double", halo = 2 }
local t = field "t" { on = grid, type = "float", halo = { x = 1, y = { lo = 1, hi = 2 }, z = 1 }, components = 3, order = "zyx" }
local m = field "m" { on = grid, type = "int32_t", halo = 1, at = { x = "both", z = "high" }, components = { 2, "outermost" } }
local c = field "c" { on = grid, type = "complex128", halo = 1, order = "yxz" }
return spec "basin" {
  exchange "velocity" { u, v, w },
  exchange "tracers" { m, c, t, stencil = "star" },
  exchange "sums" { u, op = "add" },
}
