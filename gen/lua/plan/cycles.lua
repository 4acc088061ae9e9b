-- How far into the halo each step of a cycle computes, so that one exchange serves several cycles.
--
-- From the last step back to the exchange: the last step of the last cycle computes owned points.  What it reads, the steps
-- before it must have computed, or the exchange brought; and so on.  A step computes a box, the same number of layers beyond
-- the owned points of all fields that it writes.
--
--   { cycle = the model's, exchange = number of its exchange,
--     most = cycles that one exchange can serve; 0: not even one,
--     layers[r][s] = { lo = {…}, hi = {…} } beyond the owned points, where r - 1 cycles follow before the next exchange,
--     needs[r][field.index] = the same, of what the cycle reads as it begins, also directions = { [key] = direction },
--     ends = numbers of other cycles, which have to exchange when they start next }
--
-- There are layers of one cycle at least, also where the exchange is not wide enough for it; then the proof says so
-- (prove_cycles.lua).
--
-- No side of a tile without a neighbor has layers: what is read beyond a wall is the application's, or what the exchange fills.

local exchanges = require "model.exchanges"
local geometry = require "grids.geometry"
local ordered = require "base.ordered"
local read = require "language.read"

local cycles = {}

-- More than pays, even if steps read nothing around their points.
cycles.limit = 64

local function key_of(direction)
  return table.concat(direction, ",")
end

local function no_layers(axes)
  local layers = { lo = {}, hi = {}, directions = {} }
  for a = 1, axes do layers.lo[a], layers.hi[a] = 0, 0 end
  return layers
end

-- Sides of blocks beyond which there may be another one, in its tile or the next: { lo = { [axis] = true }, hi = … }.
local function open_sides(grid, joins)
  local open = { lo = read.copy(grid.decomposed), hi = read.copy(grid.decomposed) }
  for _, join in ipairs(joins) do
    for a, side in ipairs(join.direction) do
      if side ~= 0 then open[side < 0 and "lo" or "hi"][a] = true end
    end
  end
  return open
end

local function deepen(layers, side, a, depth)
  layers[side][a] = math.max(layers[side][a], depth)
end

-- Layers that all fields have which a step writes.
local function written_layers(grid, step, needs)
  local layers = no_layers(#grid.axes)
  for _, field in ipairs(step.writes) do
    for a = 1, #grid.axes do
      for _, side in ipairs { "lo", "hi" } do deepen(layers, side, a, needs[field.index][side][a]) end
    end
  end
  return layers
end

local function item_of(exchange, field)
  for _, item in ipairs(exchange.items) do
    if item.field == field then return item end
  end
end

-- Does the exchange fill what lies of a field beyond walls there?
local function is_filled(exchange, field, side, a)
  return exchange.boundary[side][a] ~= "none" and item_of(exchange, field) ~= nil
end

-- By how many points more than its reach a step reads on a side: of the last face there is no cell.
local function more_at(side, a, written, read_field)
  return side == "hi" and geometry.extra(written.at[a]) - geometry.extra(read_field.at[a]) or 0
end

-- Does a step that computes so many layers read ghost points in a direction?  Beyond one axis it may get by its reach, with
-- a box beyond any.
local function reads_direction(step, layers, entry, written, direction)
  local by_reach = 0
  for a, sign in ipairs(direction) do
    local side = sign < 0 and "lo" or "hi"
    local without = layers[side][a] + more_at(side, a, written, entry.field)
    if sign ~= 0 and without + entry[side][a] <= 0 then return false end
    by_reach = by_reach + (sign ~= 0 and without <= 0 and 1 or 0)
  end
  return step.stencil == "box" or by_reach <= 1
end

-- Adds to what is needed of a field what a step reads of it to compute one that it writes: from other blocks, and beyond walls
-- that the exchange fills.
local function add_need(state, step, layers, entry, written, need)
  for a = 1, #state.grid.axes do
    for _, side in ipairs { "lo", "hi" } do
      if state.open[side][a] or is_filled(state.exchange, entry.field, side, a) then
        deepen(need, side, a, layers[side][a] + entry[side][a] + more_at(side, a, written, entry.field))
      end
    end
  end
  for _, direction in ipairs(state.directions) do
    local there = true
    for a, sign in ipairs(direction) do there = there and (sign == 0 or need[sign < 0 and "lo" or "hi"][a] > 0) end
    if there and reads_direction(step, layers, entry, written, direction) then need.directions[key_of(direction)] = direction end
  end
end

-- One step further back.  needs: of what follows; behind walls that an exchange fills, only what it brought is there.
local function before_step(state, step, needs)
  local layers = written_layers(state.grid, step, needs)
  for _, field in ipairs(step.writes) do needs[field.index] = no_layers(#state.grid.axes) end
  for _, entry in ipairs(step.reads) do
    for _, written in ipairs(step.writes) do
      add_need(state, step, layers, entry, written, needs[entry.field.index])
    end
  end
  return layers
end

local function copy_needs(needs)
  local out = {}
  for f, need in ipairs(needs) do
    out[f] = { lo = read.copy(need.lo), hi = read.copy(need.hi), directions = {} }
    for key, direction in ordered.pairs(need.directions) do out[f].directions[key] = direction end
  end
  return out
end

-- One cycle further back: its layers by step.
local function before_cycle(state, cycle, needs)
  local layers = {}
  for s = #cycle.steps, 1, -1 do layers[s] = before_step(state, cycle.steps[s], needs) end
  return layers
end

-- Does the exchange bring what lies of a field in a direction?  Beyond walls that it fills any stencil brings what lies beside
-- owned points, and only a box more.
local function brings_direction(state, field, direction)
  local exchange, axes, filled, open = state.exchange, 0, false, false
  for a, sign in ipairs(direction) do
    local side = sign < 0 and "lo" or "hi"
    axes = axes + math.abs(sign)
    filled = filled or sign ~= 0 and is_filled(exchange, field, side, a)
    open = open or sign ~= 0 and state.open[side][a] == true
  end
  if filled and axes > 1 then return exchange.stencil == "box" end
  return filled and not open or exchanges.in_stencil(exchange.stencil, direction)
end

-- Does the exchange bring what is needed of all fields?
local function is_brought(state, model, needs)
  local exchange = state.exchange
  for f, need in ipairs(needs) do
    local item = item_of(exchange, model.fields[f])
    for a = 1, #model.grid.axes do
      if need.lo[a] > (item and item.lo[a] or 0) or need.hi[a] > (item and item.hi[a] or 0) then return false end
    end
    for _, direction in ordered.pairs(need.directions) do
      if not brings_direction(state, model.fields[f], direction) then return false end
    end
  end
  return true
end

-- Have all fields that steps write a halo of so many layers?
local function has_room(cycle, layers)
  for s, step in ipairs(cycle.steps) do
    for _, field in ipairs(step.writes) do
      for a in ipairs(layers[s].lo) do
        if layers[s].lo[a] > field.halo.lo[a] or layers[s].hi[a] > field.halo.hi[a] then return false end
      end
    end
  end
  return true
end

local function computes_ghosts(layers)
  for _, step in ipairs(layers) do
    for a in ipairs(step.lo) do
      if step.lo[a] > 0 or step.hi[a] > 0 then return true end
    end
  end
  return false
end

-- May steps compute ghost points, so that they have the bits of their owners?  { where =, why = } if not.
function cycles.obstacle(model, joins, cycle)
  for _, join in ipairs(joins) do
    for s, p in ipairs(join.P) do
      if p.axis ~= s or p.sign ~= 1 then
        return { where = model.grid.where, why = "beyond some sides of the grid axes run in another sense" }
      end
    end
  end
  local met = {}
  for _, join in ipairs(joins) do met[join.tile .. ":" .. key_of(join.direction)] = true end
  for tile = 1, model.grid.tiles and #model.grid.tiles or 1 do
    for _, direction in ipairs(geometry.directions(#model.grid.axes)) do
      local faces = true
      for a, sign in ipairs(direction) do
        local face = {}
        for b in ipairs(direction) do face[b] = b == a and sign or 0 end
        faces = faces and (sign == 0 or met[tile .. ":" .. key_of(face)] == true)
      end
      if faces and not met[tile .. ":" .. key_of(direction)] then
        return { where = model.grid.where, why = "other than four tiles meet at a corner" }
      end
    end
  end
  for _, item in ipairs(cycle.exchange.items) do
    if item.wire then
      return { where = item.where, why = ("ghost points of field %s are rounded, and no owned points are"):format(item.field.name) }
    end
  end
  for _, step in ipairs(cycle.steps) do
    for _, field in ipairs(step.writes) do
      local why = field.directions and "only some components of its ghost points travel" or field.behind
        and "its ghost points lie behind its owned points"
      if why then return { where = field.where, why = ("of field %s %s"):format(field.name, why) } end
    end
  end
end

-- The first axis across which a step reads beyond walls that the exchange fills, or nil.
local function reads_beyond_wall(exchange, step, entry)
  for a in ipairs(entry.lo) do
    for _, side in ipairs { "lo", "hi" } do
      for _, written in ipairs(is_filled(exchange, entry.field, side, a) and step.writes or {}) do
        if entry[side][a] + more_at(side, a, written, entry.field) > 0 then return a end
      end
    end
  end
end

-- Does a step of a cycle, or of one after it, read across a filled wall what an earlier step behind the exchange wrote?
-- { step =, field =, axis = } if so.
function cycles.stale_wall(cycle, times)
  local written = {}
  for _ = 1, times do
    for _, step in ipairs(cycle.steps) do
      for _, entry in ipairs(step.reads) do
        local axis = written[entry.field] and reads_beyond_wall(cycle.exchange, step, entry)
        if axis then return { step = step, entry = entry, axis = axis, writer = written[entry.field] } end
      end
      for _, field in ipairs(step.writes) do written[field] = step end
    end
  end
end

-- The plan of a cycle.
function cycles.plan(model, joins, cycle)
  local grid = model.grid
  local state = { grid = grid, exchange = cycle.exchange, open = open_sides(grid, joins), directions = geometry.directions(#grid.axes) }
  local needs = {}
  for f in ipairs(model.fields) do needs[f] = no_layers(#grid.axes) end
  local planned = { cycle = cycle, exchange = cycle.exchange.index, most = 0, layers = {}, needs = {},
    ends = cycles.ended_by(cycle, model.cycles), obstacle = cycles.obstacle(model, joins, cycle) }
  for r = 1, cycles.limit do
    local layers = before_cycle(state, cycle, needs)
    local fits = is_brought(state, model, needs) and not (planned.obstacle and computes_ghosts(layers))
      and not cycles.stale_wall(cycle, r) and has_room(cycle, layers)
    if not fits and r > 1 then break end
    planned.layers[r], planned.needs[r] = layers, copy_needs(needs)
    planned.most = fits and r or 0
    if not fits then break end
  end
  return planned
end

-- Fields that are no more what they were when a cycle has begun: its steps write them, or its exchange brings them.
local function changed_by(cycle)
  local changed = {}
  for _, item in ipairs(cycle.exchange.items) do changed[item.field] = true end
  for _, step in ipairs(cycle.steps) do
    for _, field in ipairs(step.writes) do changed[field] = true end
  end
  return changed
end

-- Numbers of the other cycles of a model for which that leaves nothing valid: their exchanges bring such fields.
function cycles.ended_by(cycle, all)
  local changed, out = changed_by(cycle), {}
  for c, other in ipairs(all) do
    local touched = false
    for _, item in ipairs(other.exchange.items) do touched = touched or changed[item.field] or false end
    if touched and other ~= cycle then out[#out + 1] = c end
  end
  return out
end

return cycles
