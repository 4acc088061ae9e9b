-- The verb `two_tiles`, for tests: two_tiles { axes = "xy" }.  Its geometry is two_tiles.lua.

local read = require "language.read"

local two_tiles_grid = { verb = "two_tiles" }

function two_tiles_grid.read(node)
  read.keys(node, { "axes" }, {}, false)
  local axes = read.axis_names(node, "axes")
  if not axes then return nil end
  local grid = {
    kind = "two_tiles", axes = axes, periodic = {}, decomposed = {}, cells = {}, order = {},
    tiles = { { name = "A" }, { name = "B" } },
  }
  for a in ipairs(axes) do
    grid.periodic[a], grid.decomposed[a], grid.cells[a], grid.order[a] = false, true, false, a
  end
  return grid
end

return two_tiles_grid
