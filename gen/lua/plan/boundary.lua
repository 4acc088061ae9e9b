-- What fills ghost points beyond walls, point by point along the axis across a wall: images, signs, kernels.
--
-- A wall lies at position 0 or 2 * cells (in half cells, see geometry.lua).  The mirror image of a position p is -p or
-- 4 * cells - p; of index i it is mirror - i, or mirror - i + 2 * cells, with mirror = minus the position of index 0.

local geometry = require "grids.geometry"

local boundary = {}

-- +1 or -1: what a "mirror" or "antimirror" image is multiplied by.
function boundary.sign(field, axis, fill)
  local turned = geometry.reverses(field)[axis] == 1
  return (fill == "mirror") == turned and -1 or 1
end

-- Is the ghost point next to a wall a point on that wall, its own image?
function boundary.on_wall(at, side)
  return side == "lo" and at == "high" or side == "hi" and at == "low"
end

-- fills: those of an exchange.  Calls visit(axis, side, fill) for the walls that an item reaches beyond and that are filled.
function boundary.each(fills, item, visit)
  for a in ipairs(item.lo) do
    for _, side in ipairs { "lo", "hi" } do
      local fill = fills[side][a]
      if fill ~= "none" and item[side][a] > 0 then visit(a, side, fill) end
    end
  end
end

-- The kernels that the walls of an item need besides copies of rows: zero, and copies from anyhow (copy_turned), for
-- images across the fastest axis and for opposites; and whether there are opposites.
function boundary.needs(fills, item)
  local field, zero, turned, opposite = item.field, false, false, false
  boundary.each(fills, item, function(a, side, fill)
    local images = fill == "mirror" or fill == "antimirror"
    local negative = images and boundary.sign(field, a, fill) < 0
    zero = zero or fill == "zero" or negative and boundary.on_wall(field.at[a], side)
    turned = turned or negative or (images or fill == "copy") and a == field.order[1]
    opposite = opposite or negative
  end)
  return zero, turned, opposite
end

return boundary
