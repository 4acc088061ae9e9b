-- Components that travel: side by side, apart, of structs, on faces, and beside fields of which all travel.
local grid = cartesian { axes = "xy", periodic = "x" }
local cross = { { 1, 0 }, { 0, 1 }, { -1, 0 }, { 0, -1 } }
local nine = { { 0, 0 }, { 1, 0 }, { 0, 1 }, { -1, 0 }, { 0, -1 }, { 1, 1 }, { -1, 1 }, { -1, -1 }, { 1, -1 } }
local small = struct { name = "cell_2", header = "particles.h", size = 6, align = 2 }
local g = field "g" { on = grid, type = "float", halo = 2, directions = nine, components = { 9, "outermost" } }
local h = field "h" { on = grid, type = "int", halo = { x = { hi = 2 }, y = 1 }, directions = nine, order = "yx", at = { x = "both" } }
local waves = field "waves" { on = grid, type = "complex128", halo = 1, directions = cross, components = 4 }
local marks = field "marks" { on = grid, type = small, halo = 1, directions = { { 1, 1 }, { 0, 0 }, { -1, 1 } } }
local whole = field "whole" { on = grid, type = "double", halo = 1, components = 2 }
return spec "flights" {
  exchange "all" { g, h, waves, whole, marks },
  exchange "faces" { waves, h, stencil = "star" },
  exchange "rows" { g, width = { y = 2 } },
}
