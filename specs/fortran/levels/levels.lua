-- Tracers of an ocean: arrays (i, j, k), whose time levels are one more index behind these.  Columns stay whole.
local grid = cartesian { axes = "xyz", fastest = "x", periodic = "xy", decomposed = "xy" }
local t, s, c = fields { "t", "s", "c", on = grid, type = "double", halo = { x = 2, y = 2 } }

return spec "levels" {
  exchange "advected" { t, s, c, stencil = "star" },                            -- slopes reach two cells along an axis
  exchange "smoothed" { t, s, c, stencil = "box", width = { x = 1, y = 1 } },   -- a filter of nine points
}
