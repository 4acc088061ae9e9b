-- Fields whose components travel, each along a direction of its own: which of them an exchange has to bring.
--
-- Seen from a block, a component travels into it from the ghost box in direction d if it moves against d along every axis
-- of d: if -d . e equals the number of axes in d.  A distribution function of a lattice method needs no others there.

local directions = {}

-- The components of a field, counted from 1, that an exchange brings into the ghost box in a direction; nil: all.
function directions.picks(field, direction)
  if not field.directions then return nil end
  local axes, picked = 0, {}
  for _, side in ipairs(direction) do axes = axes + math.abs(side) end
  for c, along in ipairs(field.directions) do
    local against = 0
    for a, side in ipairs(direction) do against = against - side * along[a] end
    if against == axes then picked[#picked + 1] = c end
  end
  return picked
end

-- How many components those are.
function directions.count(field, direction)
  local picked = directions.picks(field, direction)
  return picked and #picked or field.components and field.components.count or 1
end

return directions
