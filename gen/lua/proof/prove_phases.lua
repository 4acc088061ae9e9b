-- The proof of a schedule by dimension for one exchange: going along one axis after the other must bring to every corner
-- and edge what its own link would have brought, and leave alone what has no link.
--
-- Phases go along the axes of memory of the exchange's first field, fastest first; C cuts the ghost boxes in directions
-- across the axis of the phase and extends them along the axes of earlier phases.  By induction over the phases the
-- extension holds what its own directions fetched in phases before.  So a ghost point in a direction with several axes comes from
-- where the link across its slowest axis leads, from there by the link across the next, and so on; the end of that way
-- must be the source of the direction's own link, for any extents, and where one of the links is missing there is a wall
-- on the way, beyond which nothing has been fetched, and the direction must have no link either.
--
-- Reads the tables that templates print.  The links themselves are proved before (prove_link.lua).

local memory = require "model.memory"
local operations = require "model.operations"

local prove_phases = {}

-- ---- where a schedule by dimension is not for an exchange -----------------------------------------------------------

local function turns(link, field)
  for s, map in ipairs(link.map) do
    if map.axis ~= s or map.sign ~= 1 then return true end
  end
  return link.sign ~= 1 or link.component ~= 0 and link.component ~= field.component
end

-- Why an exchange may not go by dimension, or nil.
local function obstacle(plan, planned)
  local exchange = planned.exchange
  if operations.returns(exchange) then return operations.verb[exchange.operation] end
  if exchange.shared then return "is of points that several blocks own" end
  if exchange.stencil ~= "box" then return "has another stencil than a box" end
  if plan.model.grid.kind ~= "cartesian" then return "is on a grid of connected tiles" end
  if memory.carries_device(exchange) then return "is packed by a device, all at once" end
  local seen = {}
  for _, item in ipairs(planned.items) do
    if item.field.directions then return ('carries some components of field "%s" only'):format(item.field.name) end
    local c = plan.positions_of[item.field.index]
    for _, link in ipairs(seen[c] and {} or plan.positions[c].links) do
      if turns(link, item.field) then return ('carries field "%s", which turns'):format(item.field.name) end
    end
    seen[c] = true
  end
end

-- ---- corners and edges ----------------------------------------------------------------------------------------------

-- An axis of a link without turns, as the source index of index i is i + cells * (cells along the axis) + offset.
local function shift(link, a)
  local map = link.map[a]
  return map.destination_cells + map.source_cells, map.offset
end

local function across(direction, a)
  local single = {}
  for b in ipairs(direction) do single[b] = b == a and direction[b] or 0 end
  return single
end

-- The ends of both ways are compared axis by axis.  links: of the positions, by "tile:direction".
local function check_direction(grid, links, order, direction)
  local function link_of(d)
    local list = links["1:" .. table.concat(d, ",")]
    return list and list[1]
  end
  local own, cells, offset, wall = link_of(direction), {}, {}, nil
  for a in ipairs(direction) do cells[a], offset[a] = 0, 0 end
  for position = #order, 1, -1 do
    local a = order[position]
    local link = direction[a] ~= 0 and link_of(across(direction, a))
    if link then
      for b in ipairs(direction) do
        local more_cells, more_offset = shift(link, b)
        cells[b], offset[b] = cells[b] + more_cells, offset[b] + more_offset
      end
    elseif direction[a] ~= 0 then
      wall = wall or grid.axes[a]
    end
  end
  if wall and own then return ("has a link, but there is a wall across %s on the way"):format(wall) end
  if wall then return nil end
  if not own then return "has no link, and axis after axis there is a way" end
  for a, name in ipairs(grid.axes) do
    local own_cells, own_offset = shift(own, a)
    if own_cells ~= cells[a] or own_offset ~= offset[a] then
      return ("comes from %d cells and %d points along %s; axis after axis, from %d cells and %d points"):format(own_cells,
        own_offset, name, cells[a], offset[a])
    end
  end
end

local function reaches(item, direction)
  local axes = 0
  for a, side in ipairs(direction) do
    if side ~= 0 then axes = axes + 1 end
    if side < 0 and item.lo[a] == 0 or side > 0 and item.hi[a] == 0 then return false end
  end
  return axes > 1
end

-- Text that says what is wrong with a plan's exchange as one that may go by dimension, or that may not; or nil.
-- links: those of all positions by "tile:direction", as lists.
function prove_phases.check(plan, planned, links)
  local why_not = obstacle(plan, planned)
  if planned.by_dimension and why_not then return ("is to go by dimension, but it %s"):format(why_not) end
  if not planned.by_dimension then return not why_not and "could go by dimension, but is not to" or nil end
  local order, known = planned.items[1].field.order, {}
  for _, item in ipairs(planned.items) do
    local c = plan.positions_of[item.field.index]
    local key = table.concat({ c, table.concat(item.lo, ","), table.concat(item.hi, ",") }, ";")
    for _, direction in ipairs(known[key] and {} or planned.directions) do
      local wrong = reaches(item, direction)
        and check_direction(plan.model.grid, links[plan.positions[c]], order, direction)
      if wrong then
        return ('field "%s", direction (%s) %s'):format(item.field.name, table.concat(direction, ","), wrong)
      end
    end
    known[key] = true
  end
end

return prove_phases
