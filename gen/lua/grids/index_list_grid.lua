-- The verb `index_list`: points that no box describes, such as the cells of an unstructured mesh.  Who feeds whom is said
-- by lists that the program gives to create.  The first axis counts the points of a rank, owned ones and those of its halo;
-- a second one, such as levels, goes along whole with each point.  The grid has, besides what all have, is_list = true.

local grid_axes = require "grids.grid_axes"
local read = require "language.read"
local report = require "base.report"
local verb = require "language.verb"

local index_list_grid = verb.new {
  verb = "index_list", call = "table", kind = "grid",
  text = "Makes a grid of points that lie in no box. Programs list at run time which points travel.",
  example = 'index_list { axes = { "cell" } }',
  keys = grid_axes.keys {
    { key = "axes", type = "axes", must = true,
      text = "`{ \"cell\" }`, or `{ \"cell\", \"level\" }`: the first counts the points of a rank, owned ones and those of its "
        .. "halo, in any order; the second travels whole with each point" },
    "fastest", "order",
    { key = "cells", type = "counts", otherwise = "any number, the same on all ranks",
      text = "number of cells along the second axis, `{ level = 40 }`; where it is the fastest, loops have the number as a literal" } },
  -- What codes of meshes are used to.
  later = { nproma = "leave it out: points of a rank lie one behind the other along their axis; give fields in blocks of "
    .. "points an order without blocks, or copy them" },
}

function index_list_grid.read(node)
  if not read.entries(node, index_list_grid) then return nil end
  local grid = grid_axes.read(node, { 1 })
  if not grid then return nil end
  grid.kind, grid.title, grid.is_list = "index_list", "index list", true
  if #grid.axes > 2 then
    report.error("HG1320", read.value(node, "axes"), ("an index list has %d axes"):format(#grid.axes), 'write one for the '
      .. 'points and at most one more, as in { "cell", "level" }; what else a point has goes into components of fields')
    return nil
  elseif grid.cells[1] then
    report.error("HG1321", read.value(node, "cells", grid.axes[1]), ("an index list has %d points along %s on every rank")
      :format(grid.cells[1], grid.axes[1]), "leave it out: each rank has as many points as it says at run time")
  end
  return grid
end

return index_list_grid
