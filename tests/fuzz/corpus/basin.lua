-- Every fill of a wall, on all positions, with a vector that turns at walls and fields that walls fill across their fastest axis.
local grid = cartesian { axes = "xyz", periodic = "z" }
local p, q = fields { "p", "q", on = grid, type = "double", halo = 2 }
local u = field "u" { on = grid, type = "float", halo = 2, at = { x = "both" } }
local v = field "v" { on = grid, type = "float", halo = 2, at = { y = "low" } }
local w = field "w" { on = grid, type = "float", halo = 2, at = { z = "high" }, order = "zyx" }
local mask = field "mask" { on = grid, type = "bool", halo = { x = { lo = 1 }, y = 1 } }
local count = field "count" { on = grid, type = "signed char", halo = 1, at = { x = "high", y = "low" } }
local drift = field "drift" {
  on = grid, type = "short", halo = 1, directions = { { 1, 0, 0 }, { -1, 0, 0 }, { 1, 1, 0 }, { 0, -1, 1 }, { 0, 0, 0 } },
}
vector "flow" { u, v, w }
return spec "basin" {
  exchange "slip" { u, v, w, boundary = "mirror" },
  exchange "stick" { u, v, w, count, boundary = "antimirror" },
  exchange "mixed" { p, q, count, boundary = { x = { lo = "copy", hi = "hook" }, y = { lo = "zero", hi = "mirror" } } },
  exchange "rim" { mask, q, boundary = { x = "copy", y = { hi = "zero" } } },
  exchange "cross" { p, u, v, w, stencil = "star", boundary = { x = "hook", y = "copy" }, width = 1 },
  exchange "bounce" { drift, boundary = { x = { lo = "copy", hi = "hook" }, y = { lo = "zero", hi = "copy" } } },
  exchange "some" { q, stencil = { { -1, 0, 0 }, { 0, 1, 0 }, { 1, 1, 0 } }, boundary = "mirror" },
}
