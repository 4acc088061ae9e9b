-- What the bugs of bugs.c are seeded into.
local grid = cartesian { axes = "xy", fastest = "x", periodic = "xy" }

local u, v = fields { "u", "v", on = grid, type = "double", halo = 2 }
local n = field "n" { on = grid, type = "int32_t", halo = 1, components = 3 }
local w = field "w" { on = grid, type = "float", halo = 1, components = { 2, "outermost" } }

return spec "seeded" {
  exchange "both" { u, v },
  exchange "sides" { u, stencil = "star", width = 1 },
  exchange "numbers" { n },
  exchange "apart" { w },
}
