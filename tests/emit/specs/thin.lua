-- Walls of blocks thinner than the width, where what is mirrored or copied came from a neighbor: in a shorter format, or in part.
-- And sides that no component of a field crosses: their corners beyond a wall are filled with and without land beside them.
local grid = cartesian { axes = "xy", periodic = "y" }
local h = field "h" { on = grid, type = "double", halo = { x = 2, y = 1 } }
local v = field "v" { on = grid, type = "float", halo = { x = 2, y = 1 }, at = { x = "high" }, directions = { { 1, -1 }, { 0, 0 }, { -1, 0 } }, components = { 3, "outermost" } }
return spec "thin" {
  exchange "mirrored" { h, boundary = { x = "mirror" }, wire = "half" },
  exchange "copied" { v, stencil = "star", boundary = { x = "copy" } },
  exchange "bounced" { v, boundary = { x = { lo = "zero", hi = "hook" } } },
}
