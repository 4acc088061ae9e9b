-- The plan as one table with the names and the numbers of the structs of hx/abi.h: axes, tiles, fields and positions count
-- from 0, lists have one entry per axis, and enumerators are words: "add" for HX_ADD, "greater" for HX_SHARED_GREATER, "copy"
-- for HX_FILL_COPY.
--
-- Three things differ from C.  Counts of rows are left out, as lists know their lengths.  What is NULL there is left out here.
-- `kernels` says which kernels there are, and of which depths, in place of the functions.

local emit = require "emit.emit"
local emit_cycles = require "emit.emit_cycles"
local kernels = require "emit.kernels"
local memory = require "model.memory"
local operations = require "model.operations"
local wires = require "model.wires"

local tables = {}

local function copied(list)
  return table.move(list, 1, #list, 1, {})
end

local function from_zero(list)
  local out = {}
  for i, value in ipairs(list) do out[i] = value - 1 end
  return out
end

-- 1 for what is true, 0 for others.
local function flags(list, count)
  local out = {}
  for i = 1, count do out[i] = list[i] and 1 or 0 end
  return out
end

local function each(list, make)
  local out = {}
  for i, entry in ipairs(list) do out[i] = make(entry, i) end
  return out
end

-- ---- positions ------------------------------------------------------------------------------------------------------

local function link_of(link)
  return {
    tile = link.tile - 1,
    source = link.source - 1,
    direction = copied(link.direction),
    map = each(link.map, function(map)
      return { axis = map.axis - 1, sign = map.sign, destination_cells = map.destination_cells, source_cells = map.source_cells,
        offset = map.offset }
    end),
    component = link.component == 0 and -1 or link.component - 1,
    sign = link.sign,
  }
end

local function bound_of(bound)
  return { halves = bound.halves, offset = bound.offset }
end

local function rewrite_of(rewrite)
  return { link = link_of(rewrite.link), lo = each(rewrite.lo, bound_of), hi = each(rewrite.hi, bound_of) }
end

local function positions_of(positions)
  return {
    extra = copied(positions.extra),
    mirror = copied(positions.mirror),
    link = each(positions.links, link_of),
    rewrite = each(positions.rewrites, rewrite_of),
  }
end

-- ---- fields ---------------------------------------------------------------------------------------------------------

local function vector_of(field, axes)
  if not field.vector then return nil end
  local out = {}
  for a = 1, axes do
    local component = field.vector.fields[a]
    out[a] = component and component.index - 1 or -1
  end
  return out
end

local function field_of(plan, field, number)
  return {
    name = field.name,
    type = field.type,
    line = field.where.line,
    at = copied(field.at),
    size = field.ctype.size * (memory.in_a_point(field) or 1),
    alignment = field.ctype.alignment,
    positions = plan.positions_of[number] - 1,
    order = from_zero(field.order),
    halo_lo = copied(field.halo.lo),
    halo_hi = copied(field.halo.hi),
    vector = vector_of(field, #plan.model.grid.axes),
    components = field.components and field.components.count or 0,
    components_after = memory.apart(field) and field.components.after or 0,
    padding = copied(field.padding),
    fixed_stride = memory.fixed_strides(field),
    reverses = copied(plan.positions[plan.positions_of[number]].reverses),
    on_device = memory.on_device(field) and 1 or 0,
    behind = field.behind and 1 or 0,
  }
end

-- ---- exchanges ------------------------------------------------------------------------------------------------------

local function depths_of(list)
  return each(list, function(kernel) return kernel.depth end)
end

-- Which kernels an item has; nil where it lies in the memory of a device.
local function kernels_of(set)
  if not set then return nil end
  return {
    general = set.rows and 1 or 0,
    strip = copied(set.depths),
    pair = set.pair and { set.lo, set.hi } or nil,
    copy_turned = set.copy_turned and 1 or 0,
    turned = set.copy_turned and depths_of(set.family.turned) or {},
    sweep = set.sweep and 1 or 0,
    accumulating = set.adding and 1 or 0,
    picking = set.picking and 1 or 0,
    listing = set.listing and 1 or 0,
    zero = set.zero and 1 or 0,
    combine = set.combine and 1 or 0,
  }
end

local function item_of(families, planned, item, number)
  return {
    field = item.field.index - 1,
    width_lo = copied(item.lo),
    width_hi = copied(item.hi),
    kernels = kernels_of(families:set_of(item)),
    wire = item.wire and wires.formats[item.wire].number or 0,
    picks = planned.picks[number] and each(planned.picks[number], from_zero) or nil,
  }
end

local function walls_of(planned, axes)
  local out = {}
  for a = 1, axes do
    local fills = planned.exchange.fills and planned.boundary
    out[a] = { fills and fills.lo[a] or "none", fills and fills.hi[a] or "none" }
  end
  return out
end

local function exchange_of(plan, families, planned)
  local exchange, axes = planned.exchange, plan.model.grid.axes
  local combines = planned.shared == "mean" or planned.shared == "sum"
  return {
    name = exchange.name,
    line = exchange.where.line,
    stencil = type(exchange.stencil) == "table" and "list" or exchange.stencil,
    field = each(planned.items, function(item, i) return item_of(families, planned, item, i) end),
    direction = each(planned.directions, copied),
    operation = combines and planned.shared or exchange.operation,
    by_dimension = planned.by_dimension and 1 or 0,
    wall = walls_of(planned, #axes),
    box = exchange.fills and exchange.stencil == "box" and 1 or 0,
    shared = not planned.shared and "not" or planned.shared == "greater" and "greater" or "owner",
    corner_fill = each(planned.corners, function(fill)
      return { axis = axes[fill.axis], field = each(planned.items, function(_, i) return { link = each(fill.links[i], link_of) } end) }
    end),
    keeps = operations.returns(exchange) and exchange.keeps and 1 or 0,
  }
end

-- ---- the spec -------------------------------------------------------------------------------------------------------

local function tile_names(grid)
  if not grid.tiles then return nil end
  return each(grid.tiles, function(tile, number) return tile.name or tostring(number - 1) end)
end

local function face_bytes(plan, axes)
  local out = {}
  for a = 1, axes do out[a] = emit.face_bytes(plan, a) end
  return out
end

local function fixed_cells(grid)
  local out = {}
  for a = 1, #grid.axes do out[a] = grid.cells[a] or 0 end
  return out
end

-- Of a cycle: each step with the fields that it writes, and the layers that it computes where 0, 1, ... cycles follow.
local function cycle_of(planned)
  local text = emit_cycles.steps(planned)
  local function step_of(step, s)
    local layers = {}
    for r = 1, planned.most do layers[r] = { lo = copied(planned.layers[r][s].lo), hi = copied(planned.layers[r][s].hi) } end
    return { name = step.name, text = text[s].text, layers = layers,
      writes = each(step.writes, function(field) return field.index - 1 end) }
  end
  return { name = planned.cycle.name, line = planned.cycle.where.line, exchange = planned.exchange - 1, most = planned.most,
    step = each(planned.cycle.steps, step_of) }
end

function tables.of(plan)
  local model, grid = plan.model, plan.model.grid
  local families = kernels.families(plan, emit.axes(model))
  return {
    name = model.name,
    file = emit.file_name(model),
    hash = model.hash,
    kind = grid.kind,
    axes = #grid.axes,
    axis = copied(grid.axes),
    periodic = flags(grid.periodic, #grid.axes),
    decomposed = flags(grid.decomposed, #grid.axes),
    cells = fixed_cells(grid),
    tiles = plan.tiles,
    tile_names = tile_names(grid),
    positions = each(plan.positions, positions_of),
    field = each(model.fields, function(field, f) return field_of(plan, field, f) end),
    exchange = each(plan.exchanges, function(planned) return exchange_of(plan, families, planned) end),
    cycle = each(plan.cycles, cycle_of),
    list = grid.is_list and 1 or 0,
    first_fastest = grid.first_fastest and 1 or 0,
    face_bytes = face_bytes(plan, #grid.axes),
  }
end

return tables
