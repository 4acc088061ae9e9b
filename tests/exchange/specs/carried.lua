-- Axes that are carried whole: z has a halo but is never cut, m has neither, and a fixed number of cells.
local grid = cartesian {
  axes = { "x", "m", "y", "z" },
  order = { "m", "x", "y", "z" },
  periodic = { "x", "z" },
  decomposed = { "x", "y" },
  cells = { m = 3 },
}

local tracers = field "tracers" { on = grid, type = "float", halo = { x = 2, y = 1, z = 1 } }
local column = field "column" { on = grid, type = "double", halo = { x = 1, y = { hi = 2 } }, order = { "z", "m", "x", "y" } }
local surface = field "surface" { on = grid, type = "long double", halo = { y = 1 } }

return spec "carried" {
  exchange "sides" { tracers, column, width = { x = 1, y = { hi = 1 } } },
  exchange "star" { column, tracers, surface, stencil = "star" },
  exchange "all" { surface, tracers, column },
}
