-- The verb `two_tiles`, for tests: two_tiles { axes = "xy" }.  Its geometry is two_tiles.lua.

local read = require "language.read"
local verb = require "language.verb"

local two_tiles_grid = verb.new {
  verb = "two_tiles", call = "table", kind = "grid", text = "Makes two tiles.", example = 'two_tiles { axes = "xy" }',
  keys = { { key = "axes", type = "axes", must = true, text = "their names" } },
}

function two_tiles_grid.read(node)
  if not read.entries(node, two_tiles_grid) then return nil end
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
