-- Cycles: one of two steps, with points on faces, components and a wall; and one that must be left in each step.
local grid = cartesian { axes = "xy", fastest = "y", periodic = "x" }
local halo = { x = 6, y = { lo = 6, hi = 5 } }
local level = field "level" { on = grid, type = "float", halo = halo }
local flow = field "flow" { on = grid, type = "double", halo = halo, at = { x = "both" }, components = 2 }
local mud = field "mud" { on = grid, type = "int16_t", halo = 1 }
local water = exchange "water" { level, flow }
local ground = exchange "ground" { mud, stencil = "star", boundary = "copy" }
return spec "tides" {
  water, ground,
  cycle "turn" {
    exchange = water,
    step "drive" { reads = { flow = 0, level = { x = { lo = 1 }, y = { lo = 1 } } }, writes = { "flow" } },
    step "rise" { reads = { level = 0, flow = { x = { hi = 1 }, y = { hi = 1 } } }, writes = { "level" }, stencil = "star" },
  },
  cycle "settle" { exchange = ground, step "sink" { reads = { mud = 1 }, writes = { "mud" }, stencil = "star" } },
}
