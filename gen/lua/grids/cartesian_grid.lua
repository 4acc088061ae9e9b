-- The verb `cartesian`: one box of cells, each of its axes periodic or ending at walls.
--
-- A front end is a module, listed in features.lua, that gives a verb whose value is a grid:
--   verb        its name in specs
--   read(node)  looks at the table that the spec gave to the verb (node.entries), reports what is wrong (report.error),
--               and returns the grid of the model, or nil if not even its axes are known.  The grid has at least kind,
--               axes, periodic, decomposed, cells, order (see model.lua), and may have more, all plain data, which
--               counts in the model's hash; kind names the module that gives its geometry, here cartesian.lua.

local grid_axes = require "grids.grid_axes"
local read = require "language.read"

local cartesian_grid = { verb = "cartesian" }

local example = 'cartesian { axes = "xyz" }'

function cartesian_grid.read(node)
  if not read.has_table(node, example) then return nil end
  read.keys(node, { "axes", "fastest", "order", "periodic", "decomposed", "blocks", "cells" }, {}, false)
  local grid = grid_axes.read(node, example)
  if not grid then return nil end
  grid.kind = "cartesian"
  grid.periodic = grid_axes.mask(grid.axes, read.axes(node, "periodic", grid.axes, {}))
  return grid
end

return cartesian_grid
