-- Numbers that travel shorter than they are: of all types, by themselves and as components, all or some of them; copied and added.
local grid = cartesian { axes = "xyz", periodic = "xz" }
local u = field "u" { on = grid, type = "double", halo = 2 }
local c = field "c" { on = grid, type = "complex128", halo = 1 }
local d = field "d" { on = grid, type = "float", halo = { x = { lo = 1, hi = 2 }, y = 1, z = 1 }, components = 3 }
local e = field "e" { on = grid, type = "complex64", halo = 1, components = { 2, "outermost" } }
local f = field "f" { on = grid, type = "double", halo = 1, directions = { { 0, 0, 0 }, { 1, 0, 0 }, { -1, 1, 0 }, { 0, 0, 1 } } }
local n = field "n" { on = grid, type = "int", halo = 1 }
local l = field "l" { on = grid, type = "unsigned long", halo = 1, components = { 3, "innermost" } }
local s = field "s" { on = grid, type = "int16_t", halo = 1 }

return spec "shorter" {
  exchange "most" { { u, c, wire = "float" }, { d, wire = "half" }, { e, wire = "bfloat16" }, { f, wire = "half" } },
  exchange "star" { { u, d, wire = "bfloat16" }, { c, f, wire = "half" }, n, stencil = "star" },
  exchange "whole" { { n, wire = "int16" }, { l, wire = "int32" }, { s, wire = "int8" }, u },
  exchange "sums" { { u, c, wire = "half" }, { d, e, f, wire = "bfloat16" }, n, op = "add", sums = "rounded" },
  exchange "kept" { u, c, wire = "float", op = "add", sums = "rounded", ghosts = "keep" },
}
