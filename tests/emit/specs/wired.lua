-- Numbers that travel shorter than they are: every format, of every type that has one, wherever components lie.
local grid = cartesian { axes = "xyz", periodic = "xy", decomposed = "xy" }
local u, v, w = fields { "u", "v", "w", on = grid, type = "double", halo = 2 }
local c = field "c" { on = grid, type = "complex128", halo = 1 }
local d = field "d" { on = grid, type = "float", halo = { x = { lo = 1, hi = 2 }, y = 1, z = 1 }, components = 3 }
local e = field "e" { on = grid, type = "complex64", halo = 1, components = { 2, "outermost" } }
local n, m = fields { "n", "m", on = grid, type = "int", halo = 1 }
local l = field "l" { on = grid, type = "unsigned long", halo = 1, components = { 3, "innermost" } }
local s = field "s" { on = grid, type = "int16_t", halo = 1, directions = { { 0, 1, 0 }, { 0, 0, 0 }, { 1, 0, 1 } } }
local f = field "f" { on = grid, type = "double", halo = 1, directions = { { 0, 0, 0 }, { 1, 0, 0 }, { -1, 1, 0 }, { 0, 0, 1 } } }
local g = field "g" { on = grid, type = "float", halo = 1, order = "zyx", at = { x = "both" } }
return spec "wired" {
  exchange "all" { { u, c, wire = "float" }, { v, d, wire = "half" }, { w, e, wire = "bfloat16", error = 1e-2 }, n, { m, wire = "int16" },
    { f, wire = "half" }, boundary = { z = { lo = "zero", hi = "copy" } } },
  exchange "most" { { u, v, w, c, wire = "float" }, { g, wire = "bfloat16" }, { n, wire = "int8" }, { l, wire = "int32" }, stencil = "star",
    boundary = { z = "mirror" } },
  exchange "some" { { s, wire = "int8" }, { l, wire = "int16", width = { x = 1, y = 0, z = 0 } } },
}
