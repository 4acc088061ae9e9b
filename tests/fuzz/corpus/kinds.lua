-- Every kind of type that is no number of C's: complex, half, bool and structs, in strips of one point and of several.
local grid = cartesian { axes = "xy", periodic = "x" }
local large = struct { name = "cell", header = "particles.h", size = 16, align = 8 }
local small = struct { name = "cell_2", header = "particles.h", size = 6, align = 2 }

local single = field "single" { on = grid, type = "complex64", halo = 1 }
local twice = field "twice" { on = grid, type = "double complex", halo = { x = 2, y = { lo = 1 } } }
local rough = field "rough" { on = grid, type = "half", halo = { x = { lo = 1, hi = 3 }, y = 2 } }
local wet = field "wet" { on = grid, type = "bool", halo = 1 }
local cells = field "cells" { on = grid, type = large, halo = 2 }
local marks = field "marks" { on = grid, type = small, halo = 2 }

return spec "kinds" {
  exchange "waves" { single, twice, rough },
  exchange "all" { wet, cells, twice, marks, rough, single, stencil = "star" },
  exchange "rest" { cells, marks, wet, width = 1 },
}
