-- What a framework may meet: placement, components, several types, an exchange that adds, memory in another order.
local grid = cartesian { axes = "xyz", fastest = "z", periodic = "xz" }
local u = field "u" { on = grid, type = "double", halo = 2, at = { x = "low" } }
local t = field "t" { on = grid, type = "float", halo = { x = 1, y = { lo = 1, hi = 2 } }, components = 3 }
local m = field "m" { on = grid, type = "int32_t", halo = 1, at = { x = "both", z = "high" }, components = { 2, "outermost" } }
return spec "tank" {
  exchange "flow" { u, t, width = { x = 1, y = 1 } },
  exchange "star" { u, stencil = "star" },
  exchange "sums" { m, op = "add", ghosts = "keep" },
}
