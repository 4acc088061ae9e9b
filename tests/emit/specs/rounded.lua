-- Sums of numbers that were rounded on the way: real and complex ones, whole points and some of their components.
local grid = cartesian { axes = "xyz", periodic = "xy", decomposed = "xy" }
local u = field "u" { on = grid, type = "double", halo = { x = 2, y = 1, z = 1 } }
local c = field "c" { on = grid, type = "complex64", halo = 1, components = { 3, "outermost" } }
local d = field "d" { on = grid, type = "float", halo = { x = { lo = 1, hi = 2 }, y = 1, z = 1 }, at = { x = "both" }, components = 2 }
local f = field "f" { on = grid, type = "double", halo = 1, directions = { { 0, 0, 0 }, { 1, 0, 0 }, { -1, 1, 0 }, { 0, 0, 1 } } }
local w = field "w" { on = grid, type = "complex128", halo = 1, directions = { { 0, 1, 0 }, { 1, 0, 0 } } }
local n = field "n" { on = grid, type = "int", halo = 1 }
return spec "rounded" {
  exchange "deposit" { { u, w, wire = "float" }, { c, d, wire = "half" }, { f, wire = "bfloat16" }, n, op = "add", sums = "rounded" },
  exchange "kept" { u, c, w, wire = "half", op = "add", sums = "rounded", ghosts = "keep", stencil = "star" },
}
