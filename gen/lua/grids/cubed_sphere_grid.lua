-- The verb `cubed_sphere`: six tiles, the sides of a cube, numbered and turned as the models of that family have them.

local grid_axes = require "grids.grid_axes"
local read = require "language.read"
local report = require "base.report"
local tiles_grid = require "grids.tiles_grid"
local verb = require "language.verb"

local cubed_sphere_grid = verb.new {
  verb = "cubed_sphere", call = "table", kind = "grid",
  text = "Makes six tiles around a sphere, the sides of a cube.",
  example = 'cubed_sphere { axes = "xyz" }',
  keys = grid_axes.keys { "axes",
    { key = "horizontal", type = "axes", otherwise = "the first two",
      text = "the two axes along the sphere, first the one that runs east on the first tile, then the one that runs north" },
    "fastest", "order",
    { key = "decomposed", type = "axes", otherwise = "the two horizontal axes",
      text = "axes that may be cut into blocks; each block has the others whole" },
    "blocks", "cells" },
}

-- The two axes along the sphere, the one to the east first; nil after reporting.
local function horizontal_of(node, axes)
  local horizontal = read.axes(node, "horizontal", axes, { 1, 2 })
  if horizontal and (#horizontal ~= 2 or #axes < 2) then
    local where = node.entries.horizontal ~= nil and read.value(node, "horizontal") or read.value(node, "axes")
    report.error("HG1315", where, ("a cubed sphere has two horizontal axes, not %d"):format(math.min(#horizontal, #axes)),
      'write horizontal = "xy", the one that runs east on the first tile first')
    return nil
  end
  return horizontal
end

-- Tile t, from 0: one of even number is followed to the east by t + 1 and to the north by t + 2, whose west side that is;
-- one of odd number to the north by t + 1 and to the east by t + 2, whose south side that is.
local function connections(axes, x, y)
  local function reversed(axis, source_axis) return { [source_axis] = { axis = axis, sign = -1 } } end
  local out = {}
  for t = 0, 5 do
    local even = t % 2 == 0
    local straight, turned = even and x or y, even and y or x
    local here, beside, behind = t + 1, (t + 1) % 6 + 1, (t + 2) % 6 + 1
    out[#out + 1] = tiles_grid.connection(axes, { tile = here, axis = straight, sign = 1 },
      { tile = beside, axis = straight, sign = -1 }, {})
    out[#out + 1] = tiles_grid.connection(axes, { tile = here, axis = turned, sign = 1 },
      { tile = behind, axis = straight, sign = -1 }, reversed(straight, turned))
  end
  return out
end

function cubed_sphere_grid.read(node)
  if not read.entries(node, cubed_sphere_grid) then return nil end
  local grid = grid_axes.read(node, {})
  if not grid then return nil end
  local horizontal = horizontal_of(node, grid.axes)
  if not horizontal then return nil end
  local x, y = table.unpack(horizontal)
  if node.entries.decomposed == nil then grid.decomposed[x], grid.decomposed[y] = true, true end
  grid.kind, grid.title, grid.tiles = "tiles", "cubed sphere", {}
  for t = 1, 6 do grid.tiles[t] = { name = tostring(t - 1) } end
  grid.connections = connections(#grid.axes, x, y)
  return grid
end

return cubed_sphere_grid
