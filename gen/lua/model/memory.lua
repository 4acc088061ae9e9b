-- How fields lie in memory: what is known of it before there are blocks.

local geometry = require "grids.geometry"

local memory = {}

-- Emitted code has fixed strides as literals, which should fit an int everywhere.
local largest = 2 ^ 31 - 1 | 0

-- Do components lie apart, so that each has its own points?
function memory.apart(field)
  return field.components ~= nil and field.components.after > 0
end

-- How many components make one point of a field, or nil.  Those that lie apart are moved one by one, like fields.
function memory.in_a_point(field)
  return field.components and field.components.after == 0 and field.components.count or nil
end

-- Components of a field, 1 for one without.
function memory.count(field)
  return field.components and field.components.count or 1
end

-- Layers around the owned points on one side of an axis ("lo" or "hi"): 0 where the halo lies behind them.
function memory.around(field, side, axis)
  return field.behind and 0 or field.halo[side][axis]
end

-- Points along an axis that rows, planes and so on are made of in every block, or nil where blocks differ.
local function allocated(field, axis)
  local grid = field.grid
  local cells = grid.cells[axis]
  if not cells or grid.decomposed[axis] then return nil end
  return memory.around(field, "lo", axis) + cells + geometry.extra(field.at[axis]) + memory.around(field, "hi", axis)
    + field.padding[axis]
end

-- Strides in elements that are the same in all blocks, per axis, because all faster axes are never cut and have fixed
-- extents; 0 for all others, and for the fastest axis, whose stride is always the number of elements in a point.
function memory.fixed_strides(field)
  local fixed, step = {}, memory.in_a_point(field) or 1
  for axis = 1, #field.order do fixed[axis] = 0 end
  for position, axis in ipairs(field.order) do
    if position > 1 and step <= largest then fixed[axis] = step end
    local points = allocated(field, axis)
    if not points or step * points > largest then break end
    step = step * points
    if memory.apart(field) and field.components.after == position then step = step * field.components.count end
  end
  return fixed
end

-- Is a field in the memory of a device?
function memory.on_device(field)
  return field.memory == "cuda"
end

-- Is any field of a model?
function memory.any_on_device(model)
  for _, field in ipairs(model.fields) do
    if memory.on_device(field) then return true end
  end
  return false
end

-- Does an exchange carry one that is?
function memory.carries_device(exchange)
  for _, item in ipairs(exchange.items) do
    if memory.on_device(item.field) then return true end
  end
  return false
end

-- Have any fields their halo behind the owned points?
function memory.any_behind(fields)
  for _, field in ipairs(fields) do
    if field.behind then return true end
  end
  return false
end

-- Has the list a number other than 0?
function memory.any(list)
  for _, number in ipairs(list) do
    if number ~= 0 then return true end
  end
  return false
end

return memory
