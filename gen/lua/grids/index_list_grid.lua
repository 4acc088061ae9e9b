-- The verb `index_list`: points that no box describes, such as the cells of an unstructured mesh.  Who feeds whom is said
-- by lists that the program gives to create.  The first axis counts the points of a rank, owned ones and those of its halo;
-- a second one, such as levels, goes along whole with each point.  The grid has, besides what all have, is_list = true.

local grid_axes = require "grids.grid_axes"
local read = require "language.read"
local report = require "base.report"

local index_list_grid = { verb = "index_list" }

local example = 'index_list { axes = { "cell" } }'

-- What codes of meshes are used to.
local later = { nproma = "leave it out: points of a rank lie one behind the other along their axis; give fields in blocks of "
  .. "points an order without blocks, or copy them" }

function index_list_grid.read(node)
  if not read.has_table(node, example) then return nil end
  read.keys(node, { "axes", "fastest", "order", "cells" }, later, false)
  local grid = grid_axes.read(node, example, { 1 })
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
