-- The verb `cartesian`: one box of cells, each of its axes periodic or ending at walls.
--
-- A front end is a module, listed in features.lua, that gives a verb whose value is a grid:
--   verb        its name in specs, with all that verb.lua describes a verb by
--   read(node)  looks at the table that the spec gave to the verb (read.entries), reports what is wrong (report.error),
--               and returns the grid of the model, or nil if not even its axes are known.  The grid has at least kind,
--               axes, periodic, decomposed, cells, order (see model.lua), and may have more, all plain data, which
--               counts in the model's hash; kind names the module that gives its geometry, here cartesian.lua.

local grid_axes = require "grids.grid_axes"
local read = require "language.read"
local verb = require "language.verb"

local cartesian_grid = verb.new {
  verb = "cartesian", call = "table", kind = "grid",
  text = "Makes one box of cells. Each of its axes closes on itself, or ends at walls.",
  example = 'cartesian { axes = "xyz" }',
  keys = grid_axes.keys { "axes", "fastest", "order", "periodic", "decomposed", "blocks", "cells" },
}

function cartesian_grid.read(node)
  if not read.entries(node, cartesian_grid) then return nil end
  local grid = grid_axes.read(node)
  if not grid then return nil end
  grid.kind = "cartesian"
  grid.periodic = grid_axes.mask(grid.axes, read.axes(node, "periodic", grid.axes, {}))
  return grid
end

return cartesian_grid
