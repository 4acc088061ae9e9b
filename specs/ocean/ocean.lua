-- An ocean channel around the globe: columns of layers over an uneven bottom, velocities on the low faces of the
-- columns, surface height and tracers in their middle.  Periodic along x; walls across y.
local grid = cartesian { axes = "xy", fastest = "x", periodic = "x" }

-- The layers of a column are components that lie side by side: loops over them are the inner ones, and each column of a
-- halo is one run of memory.
local layers = 12

local eta = field "eta" { on = grid, type = "double", halo = { x = { lo = 1 }, y = { lo = 1 } } }
local u = field "u" {
  on = grid, type = "double", components = layers, at = { x = "low" }, halo = { x = { hi = 1 }, y = { lo = 1 } },
}
local v = field "v" {
  on = grid, type = "double", components = layers, at = { y = "low" }, halo = { x = { lo = 1 }, y = { hi = 1 } },
}
local t, s = fields { "t", "s", on = grid, type = "double", components = layers, halo = 1 }

return spec "ocean" {
  exchange "flow" { u, v, boundary = "zero" },
  exchange "tracers" { t, s, stencil = "star" },
  exchange "surface" { eta, stencil = "star" },
}
