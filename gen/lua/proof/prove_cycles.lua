-- The proof of cycles: no step reads a ghost point that does not hold what its owner has.
--
-- It goes forward, from the exchange through all cycles that it serves, and keeps which ghost points of each field are valid: for each
-- direction how many layers along each axis.  A step that computes a box moves that box by each of the offsets that it may
-- read, and asks for all points of the moved box.  It takes from the plan the layers that are printed, and nothing else.

local definition = require "proof.definition"
local geometry = require "grids.geometry"
local ordered = require "base.ordered"
local read = require "language.read"
local report = require "base.report"

local prove_cycles = {}

local quote = report.quote

local function side_of(sign)
  return sign < 0 and "lo" or "hi"
end

local function direction_text(grid, direction)
  local words = {}
  for a, sign in ipairs(direction) do
    if sign ~= 0 then words[#words + 1] = (sign < 0 and "below " or "above ") .. grid.axes[a] end
  end
  return table.concat(words, " and ")
end

-- All directions, faces before edges and corners.
local function outward(axes)
  local list, count = geometry.directions(axes), {}
  for _, direction in ipairs(list) do
    count[direction] = 0
    for _, sign in ipairs(direction) do count[direction] = count[direction] + math.abs(sign) end
  end
  return ordered.sort(list, function(a, b) return count[a] < count[b] end)
end

-- ---- what is valid ------------------------------------------------------------------------------------------------

-- Layers of an item of an exchange in a direction, or nil.  Beyond walls that it fills it needs no direction: a box fills all that
-- lies there, other stencils what lies beside owned points.
local function layers_after_exchange(exchange, open, item, direction, listed)
  local layers, axes, filled, leads = {}, 0, false, false
  for a, sign in ipairs(direction) do
    local side = side_of(sign)
    layers[a] = sign == 0 and 0 or item[side][a]
    axes = axes + math.abs(sign)
    filled = filled or sign ~= 0 and exchange.boundary[side][a] ~= "none"
    leads = leads or sign ~= 0 and open[side][a] == true
  end
  local there = listed
  if filled and axes > 1 then
    there = exchange.stencil == "box"
  elseif filled and not leads then
    there = true
  end
  return there and layers or nil
end

-- valid[field][direction] = layers per axis, or nil.
local function valid_after_exchange(plan, planned, open)
  local valid, listed = {}, {}
  for f in ipairs(plan.model.fields) do valid[f] = {} end
  local brought = plan.exchanges[planned.exchange]
  for _, direction in ipairs(brought.directions) do listed[table.concat(direction, ",")] = true end
  for _, item in ipairs(brought.items) do
    for _, direction in ipairs(geometry.directions(#plan.model.grid.axes)) do
      local key = table.concat(direction, ",")
      valid[item.field.index][key] = layers_after_exchange(planned.cycle.exchange, open, item, direction, listed[key])
    end
  end
  return valid
end

local function write(grid, valid, step, layers)
  for _, field in ipairs(step.writes) do
    local now = {}
    for _, direction in ipairs(geometry.directions(#grid.axes)) do
      local depth = {}
      for a, sign in ipairs(direction) do depth[a] = sign == 0 and 0 or layers[side_of(sign)][a] end
      now[table.concat(direction, ",")] = depth
    end
    valid[field.index] = now
  end
end

-- ---- what is read -------------------------------------------------------------------------------------------------

-- The extreme offsets at which a step may read: of a star those along one axis each.
local function offsets_of(step, entry)
  local list = { {} }
  for a in ipairs(entry.lo) do
    local longer = {}
    for _, offset in ipairs(list) do
      for _, by in ipairs { -entry.lo[a], 0, entry.hi[a] } do
        local copy = table.move(offset, 1, #offset, 1, { away = offset.away })
        copy[a], copy.away = by, (offset.away or 0) + (by ~= 0 and 1 or 0)
        if step.stencil == "box" or copy.away <= 1 then longer[#longer + 1] = copy end
      end
    end
    list = longer
  end
  return list
end

-- How deep a box of so many layers, moved by an offset, lies in the halo of the field that is read: below and above.
local function depths(layers, offset, written, field)
  local below, above = {}, {}
  for a, by in ipairs(offset) do
    below[a] = math.max(0, layers.lo[a] - by)
    above[a] = math.max(0, layers.hi[a] + by + geometry.extra(written.at[a]) - geometry.extra(field.at[a]))
  end
  return below, above
end

-- Does the exchange fill a field beyond walls there?
local function is_filled(state, field, side, axis)
  local exchange, carried = state.cycle.exchange, false
  for _, item in ipairs(exchange.items) do carried = carried or item.field == field end
  return carried and exchange.boundary[side][axis] ~= "none"
end

-- The first ghost points that are read and not valid: { direction =, axis =, depth =, valid = }.
local function invalid_read(state, layers, offset, written, entry)
  local below, above = depths(layers, offset, written, entry.field)
  for _, direction in ipairs(state.directions) do
    local there, open = true, true
    for a, sign in ipairs(direction) do
      there = there and (sign == 0 or (sign < 0 and below or above)[a] > 0)
      open = open and (sign == 0 or state.open[side_of(sign)][a] == true or is_filled(state, entry.field, side_of(sign), a))
    end
    local has = state.valid[entry.field.index][table.concat(direction, ",")]
    for a, sign in ipairs(there and open and direction or {}) do
      local depth = (sign < 0 and below or above)[a]
      if sign ~= 0 and depth > (has and has[a] or 0) then
        return { direction = direction, axis = a, depth = depth, valid = has and has[a] or 0 }
      end
    end
  end
end

-- ---- sentences ----------------------------------------------------------------------------------------------------

local function report_invalid(state, step, entry, found)
  local grid, exchange = state.grid, state.cycle.exchange
  local axes = 0
  for _, sign in ipairs(found.direction) do axes = axes + math.abs(sign) end
  local name, carried = quote(entry.field.name), false
  for _, item in ipairs(exchange.items) do carried = carried or item.field == entry.field end
  local cure = not carried and ("carry it in exchange %s, with %d layers there"):format(quote(exchange.name), found.depth)
    or axes > 1 and found.valid == 0 and ('bring edges and corners, too: stencil = "box" for exchange %s'):format(quote(exchange.name))
    or ("give its halo, and the width of exchange %s, %d more there, or shorten the reach of a step"):format(
      quote(exchange.name), found.depth - found.valid)
  report.error("HG2024", entry.where, ("step %s of cycle %s reads field %s up to layer %d %s%s, and there %d %s valid"):format(
    quote(step.name), quote(state.cycle.name), name, found.depth, axes > 1 and "in the corner " or "",
    direction_text(grid, found.direction), found.valid,
    found.valid == 1 and "is" or "are"), cure .. "; or divide the cycle, and exchange between its steps",
    { { where = exchange.where, message = "the exchange is here" } })
end

local function report_obstacle(planned, step, layers, grid)
  for a, axis in ipairs(grid.axes) do
    local deep = math.max(layers.lo[a], layers.hi[a])
    if deep > 0 then
      report.error("HG2025", step.where, ("step %s of cycle %s would be computed in %d layer%s of the halo along %s, and %s"):format(
        quote(step.name), quote(planned.cycle.name), deep, deep == 1 and "" or "s", axis, planned.obstacle.why),
        "halogen cannot prove that they get the bits of their owners: divide the cycle, and exchange between its steps",
        { { where = planned.obstacle.where, message = "this is why" } })
      return true
    end
  end
end

local function report_stale(state, found)
  local cycle, grid = state.cycle, state.grid
  report.error("HG2026", found.entry.where, ("step %s of cycle %s reads field %s beyond a wall across %s, which exchange %s filled "
    .. "before step %s wrote the field"):format(quote(found.step.name), quote(cycle.name), quote(found.entry.field.name),
    grid.axes[found.axis], quote(cycle.exchange.name), quote(found.writer.name)),
    "leave boundary out there, and fill the wall in your program after each step; or divide the cycle",
    { { where = read.key(cycle.exchange.node, "boundary"), message = "the fill is here" } })
end

-- ---- cycles -------------------------------------------------------------------------------------------------------

-- The first axis across which a step, to compute owned points, reads beyond walls that the exchange fills, or nil.
local function reads_filled_wall(state, step, entry)
  local none = { lo = {}, hi = {} }
  for a in ipairs(state.grid.axes) do none.lo[a], none.hi[a] = 0, 0 end
  for _, written in ipairs(step.writes) do
    for _, offset in ipairs(offsets_of(step, entry)) do
      local below, above = depths(none, offset, written, entry.field)
      for a in ipairs(state.grid.axes) do
        if below[a] > 0 and is_filled(state, entry.field, "lo", a) or above[a] > 0 and is_filled(state, entry.field, "hi", a) then
          return a
        end
      end
    end
  end
end

-- The first field that a step writes where its halo has no room; true after reporting.
local function report_no_room(state, step, layers)
  for _, field in ipairs(step.writes) do
    for a, axis in ipairs(state.grid.axes) do
      for _, side in ipairs { "lo", "hi" } do
        if layers[side][a] > field.halo[side][a] then
          report.error("HG2027", step.where, ("step %s of cycle %s would compute field %s in layer %d %s %s, and its halo has %d there")
            :format(quote(step.name), quote(state.cycle.name), quote(field.name), layers[side][a], side == "lo" and "below" or "above",
            axis, field.halo[side][a]), "give the field a deeper halo, or divide the cycle",
            { { where = field.where, message = "the field is here" } })
          return true
        end
      end
    end
  end
end

-- Goes through one step; true after reporting.
local function check_step(state, step, layers)
  if report_no_room(state, step, layers) then return true end
  for _, entry in ipairs(step.reads) do
    local writer, axis = state.writer[entry.field], reads_filled_wall(state, step, entry)
    if writer and axis then
      report_stale(state, { step = step, entry = entry, axis = axis, writer = writer })
      return true
    end
    for _, written in ipairs(step.writes) do
      for _, offset in ipairs(offsets_of(step, entry)) do
        local found = invalid_read(state, layers, offset, written, entry)
        if found then
          report_invalid(state, step, entry, found)
          return true
        end
      end
    end
  end
  write(state.grid, state.valid, step, layers)
  for _, field in ipairs(step.writes) do state.writer[field] = step end
end

-- All cycles that one exchange serves; true after reporting.
local function check_run(plan, planned, open, times)
  local state = { grid = plan.model.grid, cycle = planned.cycle, open = open, directions = outward(#plan.model.grid.axes),
    valid = valid_after_exchange(plan, planned, open),
    writer = {} }
  for at = 1, times do
    for s, step in ipairs(planned.cycle.steps) do
      local layers = planned.layers[times - at + 1][s]
      if planned.obstacle and report_obstacle(planned, step, layers, state.grid) then return true end
      if check_step(state, step, layers) then return true end
    end
  end
end

-- Sides of blocks beyond which there may be another one: sides of tiles that meet some, and cuts.
local function open_sides(grid, read_definition)
  local open = { lo = {}, hi = {} }
  for a in ipairs(grid.axes) do
    for _, sign in ipairs { -1, 1 } do
      local face = {}
      for b in ipairs(grid.axes) do face[b] = b == a and sign or 0 end
      open[side_of(sign)][a] = grid.decomposed[a]
      for tile = 1, read_definition.tiles do
        open[side_of(sign)][a] = open[side_of(sign)][a] or definition.beyond(read_definition, tile, face) ~= nil
      end
    end
  end
  return open
end

-- Reports the first fault of each cycle.  read_definition: what definition.lua has read.
function prove_cycles.run(plan, read_definition)
  local planned_cycles = plan.cycles or {}
  local open = #planned_cycles > 0 and open_sides(plan.model.grid, read_definition)
  for _, planned in ipairs(planned_cycles) do
    for times = 1, math.max(planned.most, 1) do
      if check_run(plan, planned, open, times) then break end
    end
  end
end

return prove_cycles
