-- The proof of what fills ghost points beyond walls.
--
-- Fills go along one axis, so that all is shown axis by axis: every ghost point of every width, for every extent from 1 to
-- 2 * width + 2, beyond which all is affine.  Shown is, for the numbers that templates print:
--
--   1. the walls in the table are those of the spec, and there are none along periodic axes, nor where a grid is folded;
--   2. the image of a ghost point has the mirrored position;
--   3. it is an owned point, or the ghost point itself, which then lies on the wall, or lies beyond the other end of the grid:
--      there create refuses, because nothing has filled it.  An image is never another ghost point beyond the same wall.
--      From extents of width + 1 on it is never beyond the other end.
--
-- Images that are owned by other blocks are ghost points of this one; whether the exchange fills them depends on the partition,
-- and is decided at create.

local prove_boundary = {}

-- Positions in half cells: of index 0, and the number of points beyond the cells; stated again, on purpose.
local FIRST = { center = 1, low = 0, high = 2, both = 0 }
local EXTRA = { center = 0, low = 0, high = 0, both = 1 }

local KNOWN = { none = true, zero = true, copy = true, mirror = true, antimirror = true, hook = true }

-- Text that says which point has a wrong image, or nil.  side: -1 low, 1 high.
local function check_images(at, mirror, side, width)
  for cells = 1, 2 * width + 2 do
    local points = cells + EXTRA[at]
    for layer = 1, width do
      local index = side < 0 and -layer or points - 1 + layer
      local image = mirror - index + (side > 0 and 2 * cells or 0)
      local wall = side < 0 and 0 or 2 * cells
      local position, found = FIRST[at] + 2 * index, FIRST[at] + 2 * image
      local text = ("with %d cells, the image of point %d is point %d"):format(cells, index, image)
      if found ~= 2 * wall - position then
        return text .. (", at %d half cells; it should be at %d"):format(found, 2 * wall - position)
      end
      local owned = image >= 0 and image < points
      local itself = image == index and position == wall
      local beyond = side < 0 and image >= points or side > 0 and image < 0
      if not owned and not itself and not (beyond and cells <= width) then return text .. ", which nothing has filled" end
    end
  end
end

-- Text that says what is wrong with the number by which indices are mirrored along an axis, or nil.
function prove_boundary.check_mirror(at, mirror)
  if mirror ~= -FIRST[at] then
    return ("it mirrors index i to %s - i; at %q it should be %d - i"):format(mirror, at, -FIRST[at])
  end
end

-- Does a mirror across an axis turn a field around?  An arrow along the axis, and what spins about another one.
local function turned_by_mirror(field, axis)
  local kind = field.vector and field.vector.kind or "unsigned"
  return kind == "vector" and field.component == axis or kind == "pseudovector" and field.component ~= axis
end

-- Text that says what is wrong with the number that tells so, or nil.
function prove_boundary.check_reverses(field, axis, reverses)
  local wanted = turned_by_mirror(field, axis) and 1 or 0
  if reverses ~= wanted then return ("a mirror reverses values %s times; it should be %d"):format(reverses, wanted) end
end

-- Text that says what is wrong with the walls of a plan's exchange, or nil.
function prove_boundary.check(plan, planned)
  local grid, exchange, known = plan.model.grid, planned.exchange, {}
  for a, axis in ipairs(grid.axes) do
    for _, side in ipairs { "lo", "hi" } do
      local fill, said = planned.boundary[side][a], exchange.boundary[side][a]
      if not KNOWN[fill] or fill ~= said then return ("fills the %s wall of %s by %s; the spec says %s"):format(side, axis, fill, said) end
      if fill ~= "none" and grid.periodic[a] then return ("fills a wall across %s, which is periodic"):format(axis) end
      local fold = grid.fold
      if fill ~= "none" and fold and (a == fold.along or a == fold.axis and (side == "lo") == (fold.sign < 0)) then
        return ("fills a wall across %s, where the grid is folded"):format(axis)
      end
      for _, item in ipairs((fill == "mirror" or fill == "antimirror") and planned.items or {}) do
        local positions = plan.positions[plan.positions_of[item.field.index]]
        local key = table.concat({ item.field.at[a], positions.mirror[a], side, item[side][a] }, " ")
        known[key] = known[key] or check_images(item.field.at[a], positions.mirror[a], side == "lo" and -1 or 1, item[side][a])
          or "fine"
        if known[key] ~= "fine" then return ('field "%s", along %s: %s'):format(item.field.name, axis, known[key]) end
      end
    end
  end
end

return prove_boundary
