-- Components wherever they may lie, of several types and orders.
local grid = cartesian { axes = "xyz", periodic = "xy", decomposed = "xy", cells = { z = 3 } }
local small = struct { name = "cell_2", header = "particles.h", size = 6, align = 2 }
local inner = field "inner" { on = grid, type = "double", halo = { x = { lo = 1, hi = 2 }, y = 1 }, components = 5 }
local single = field "single" { on = grid, type = "float", halo = 1, components = 1, at = { x = "both", y = "high" } }
local between = field "between" { on = grid, type = "float", halo = 1, components = { 4, after = "z" }, order = "zxy", padding = { z = 2 } }
local outer = field "outer" { on = grid, type = "complex64", halo = { x = 2, y = 1 }, components = { 3, "outermost" }, padding = { x = 1, z = 1 } }
local marks = field "marks" { on = grid, type = small, halo = 1, components = { 2, "innermost" } }
local plain = field "plain" { on = grid, type = "float", halo = 1 }
return spec "mixture" {
  exchange "all" { inner, single, between, outer, marks, plain },
  exchange "star" { plain, { outer, width = { x = 2 } }, inner, stencil = "star", width = { x = 1, y = 1 } },
}
