-- Rows that start where they should, and strides that are known when the code is made.
local grid = cartesian { axes = "xyz", order = "zxy", periodic = "xy", decomposed = "y", cells = { x = 6, z = 5 } }
local whole = field "whole" { on = grid, type = "double", halo = { x = 1, y = 2 }, padding = { z = 3, x = 1 } }
local faces = field "faces" { on = grid, type = "float", halo = 1, at = "both", padding = { y = 2 } }
local rows = field "rows" { on = grid, type = "int", halo = { y = 1 }, order = "xyz", padding = { y = 1 } }
local loose = field "loose" { on = grid, type = "double", halo = 1, order = "yxz", padding = { y = 5, x = 1 } }
return spec "padded" {
  exchange "all" { whole, faces, rows, loose },
  exchange "star" { loose, rows, stencil = "star" },
}
