-- A C grid: velocities on the faces that they cross, vorticity on all corners, one axis of everything else.
local grid = cartesian { axes = "xyz", periodic = "x", decomposed = "xy", blocks = "first-fastest" }
local u = field "u" { on = grid, type = "double", halo = 2, at = { x = "low" } }
local v = field "v" { on = grid, type = "double", halo = 2, at = { y = "high" } }
local w = field "w" { on = grid, type = "double", halo = { x = 2, y = 1, z = 1 }, at = { z = "both" } }
local vorticity = field "vorticity" { on = grid, type = "float", halo = { x = { lo = 2, hi = 1 }, y = 1 }, at = { x = "both", y = "both" } }
local mask = field "mask" { on = grid, type = "int", halo = 1, at = "both", order = "zyx" }
local depth = field "depth" { on = grid, type = "float", halo = 1 }
local wind = vector "wind" { u, v, w }
return spec "staggered" {
  exchange "winds" { u, v, w, width = 1 },
  exchange "corners" { vorticity, depth, mask, stencil = "star" },
  exchange "all" { u, vorticity, v, w, mask, depth },
}
