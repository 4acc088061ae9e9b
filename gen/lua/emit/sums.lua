-- Sums over the numbers of emitted tables, which create compares with what it finds there: numbers that were changed by hand
-- or by a tool, each of them possible by itself.
--
-- What goes into a sum, and in which order, runtime/exchange/table_sums.c says, too.  They are made of the plan, not of what is
-- printed.

local memory = require "model.memory"
local wires = require "model.wires"

local sums = {}

-- Enumerators of hx/abi.h.
local OPERATIONS = { HX_COPY = 0, HX_ADD = 1, HX_MEAN = 2, HX_SUM = 3, HX_MIN = 4, HX_MAX = 5 }
local SHARED = { HX_SHARED_NOT = 0, HX_SHARED_GREATER = 1, HX_SHARED_OWNER = 2 }
local FILLS = { none = 0, zero = 1, copy = 2, mirror = 3, antimirror = 4, hook = 5 }

-- And of hx/cuda.h, in its order.
local SHAPES = {}
for i, name in ipairs { "LONG", "SHORT", "LOOSE", "TURNED", "TILE", "SUM", "MEAN", "TOTAL", "LISTED", "NARROW", "WIDEN", "ROUND" } do
  SHAPES["HX_CUDA_" .. name] = i - 1
end

local A_SPEC, SOME_POSITIONS, A_FIELD, AN_EXCHANGE, A_DEVICE, A_CYCLE = 0, 1, 2, 3, 4, 5

local function number_of(codes, name)
  return codes[name] or error("no number for " .. tostring(name))
end

-- ---- sums -----------------------------------------------------------------------------------------------------------

local function add(sum, value)
  sum = (sum ~ value) * 0x9e3779b97f4a7c15
  return sum ~ sum >> 32
end

-- Two numbers at a time.
local function add_two(sum, first, second)
  return add(sum, first & 0xffffffff | second << 32)
end

local function four_bytes(a, b, c, d)
  return a & 255 | (b & 255) << 8 | (c & 255) << 16 | (d & 255) << 24
end

-- Eight characters at a time; the last word has 0 to 7.
local function add_text(sum, text)
  for start = 1, #text + 1, 8 do
    local word = 0
    for i, byte in ipairs { text:byte(start, start + 7) } do word = word | byte << 8 * (i - 1) end
    sum = add(sum, word)
  end
  return sum
end

local function begin(plan, what, number)
  return add_two(add(0, math.tointeger(tonumber("0x" .. plan.model.hash))), what, number)
end

-- 0 is no sum.
local function finish(sum)
  return ("UINT64_C(0x%016x)"):format(sum | 1)
end

-- ---- tables ---------------------------------------------------------------------------------------------------------

local function add_direction(sum, direction, other)
  local d = {}
  for a = 1, 4 do d[a] = direction[a] or 0 end
  return add_two(sum, four_bytes(table.unpack(d)), other)
end

local function add_link(sum, link)
  sum = add_two(sum, link.tile - 1, link.source - 1)
  local component = link.component == 0 and -1 or link.component - 1
  sum = add_direction(sum, link.direction, four_bytes(component, link.sign, 0, 0))
  for _, map in ipairs(link.map) do
    sum = add_two(sum, four_bytes(map.axis - 1, map.sign, map.destination_cells, map.source_cells), map.offset)
  end
  return sum
end

function sums.of_positions(plan, c)
  local positions = plan.positions[c]
  local sum = add_two(begin(plan, SOME_POSITIONS, c - 1), #positions.links, #positions.rewrites)
  for a, extra in ipairs(positions.extra) do sum = add_two(sum, extra, positions.mirror[a]) end
  for _, link in ipairs(positions.links) do sum = add_link(sum, link) end
  for _, rewrite in ipairs(positions.rewrites) do
    sum = add_link(sum, rewrite.link)
    for a, lo in ipairs(rewrite.lo) do
      sum = add_two(sum, lo.halves, lo.offset)
      sum = add_two(sum, rewrite.hi[a].halves, rewrite.hi[a].offset)
    end
  end
  return finish(sum)
end

-- The number of the component of a field's vector along an axis.
local function component_along(field, axis)
  if not field.vector then return -2 end
  local component = field.vector.fields[axis]
  return component and component.index - 1 or -1
end

function sums.of_field(plan, field)
  local sum = add_text(add_text(begin(plan, A_FIELD, field.index - 1), field.name), field.type)
  sum = add_two(sum, plan.positions_of[field.index] - 1, field.components and field.components.count or 0)
  sum = add_two(sum, memory.apart(field) and field.components.after or 0, (memory.on_device(field) and 1 or 0) ~ (field.behind and 2 or 0))
  local struct = field.ctype.kind == "struct" and field.ctype
  local together = not memory.apart(field) and memory.count(field) or 1
  sum = add_two(sum, struct and struct.size * together or 0, struct and struct.alignment or 0)
  local reverses, fixed = plan.positions[plan.positions_of[field.index]].reverses, memory.fixed_strides(field)
  for a, axis in ipairs(field.order) do
    sum = add_two(sum, axis - 1, reverses[a])
    sum = add_two(sum, field.halo.lo[a], field.halo.hi[a])
    sum = add_two(sum, field.padding[a], component_along(field, a))
    sum = add(sum, fixed[a])
  end
  return finish(sum)
end

-- In the order of runtime/exchange/table_sums.c: which kernels of a set there are.
local function flags_of(set)
  local has = { set.rows, set.rows, set.copy, set.pair, set.copy_turned, set.sweep, set.adding, set.picking, set.zero,
    set.combine, set.listing }
  local flags = 0
  for i = 1, 11 do flags = flags | (has[i] and 1 << i - 1 or 0) end
  return flags
end

-- set: nil for fields on a device.
local function add_kernels(sum, set)
  if not set then return add(sum, 0) end
  local turned = set.copy_turned and set.family.turned or {}
  sum = add_two(sum, flags_of(set), four_bytes(#set.depths, #turned, 0, 0))
  sum = add_two(sum, set.pair and set.lo or 0, set.pair and set.hi or 0)
  for _, depth in ipairs(set.depths) do sum = add_two(sum, depth, 0) end
  for _, kernel in ipairs(turned) do sum = add_two(sum, kernel.depth, 0) end
  return sum
end

-- picks: for each direction a list of components, or false.
local function add_picks(sum, picks)
  sum = add_two(sum, picks and #picks > 0 and 1 or 0, 0)
  for _, picked in ipairs(picks or {}) do
    sum = add_two(sum, #picked, 0)
    for _, component in ipairs(picked) do sum = add_two(sum, component - 1, 0) end
  end
  return sum
end

local function add_corner_fill(sum, plan, planned, fill)
  sum = add_two(add_text(sum, plan.model.grid.axes[fill.axis]), #planned.items, 0)
  for i in ipairs(planned.items) do
    sum = add_two(sum, #fill.links[i], 0)
    for _, link in ipairs(fill.links[i]) do sum = add_link(sum, link) end
  end
  return sum
end

-- words: the enumerators that the exchange is printed with, { operation =, shared = }.
function sums.of_exchange(plan, e, families, words)
  local planned, axes = plan.exchanges[e], #plan.model.grid.axes
  local exchange = planned.exchange
  local sum = add_text(begin(plan, AN_EXCHANGE, e - 1), exchange.name)
  sum = add_two(sum, #planned.items, #planned.directions)
  sum = add_two(sum, number_of(OPERATIONS, words.operation), planned.by_dimension and 1 or 0)
  sum = add_two(sum, exchange.fills and exchange.stencil == "box" and 1 or 0, number_of(SHARED, words.shared))
  sum = add_two(sum, #planned.corners, exchange.keeps and 1 or 0)
  for a = 1, axes do
    local fills = exchange.fills and planned.boundary
    sum = add_two(sum, number_of(FILLS, fills and fills.lo[a] or "none"), number_of(FILLS, fills and fills.hi[a] or "none"))
  end
  for _, direction in ipairs(planned.directions) do sum = add_direction(sum, direction, 0) end
  for i, item in ipairs(planned.items) do
    sum = add_two(sum, item.field.index - 1, item.wire and wires.formats[item.wire].number or 0)
    for a = 1, axes do sum = add_two(sum, item.lo[a], item.hi[a]) end
    sum = add_picks(add_kernels(sum, families:set_of(item)), planned.picks[i])
  end
  for _, fill in ipairs(planned.corners) do sum = add_corner_fill(sum, plan, planned, fill) end
  return finish(sum)
end

local function add_layers(sum, layers)
  for a, lo in ipairs(layers.lo) do sum = add_two(sum, lo, layers.hi[a]) end
  return sum
end

function sums.of_cycle(plan, c)
  local planned = plan.cycles[c]
  local sum = add_text(begin(plan, A_CYCLE, c - 1), planned.cycle.name)
  sum = add_two(add_two(sum, planned.exchange - 1, planned.most), #planned.cycle.steps, #plan.cycles)
  for s, step in ipairs(planned.cycle.steps) do
    sum = add_text(sum, step.name)
    for r = 1, planned.most do sum = add_layers(sum, planned.layers[r][s]) end
  end
  for _, other in ipairs(planned.ends) do sum = add_two(sum, other - 1, #planned.ends) end
  for r = 1, planned.most do
    for _, item in ipairs(plan.exchanges[planned.exchange].items) do sum = add_layers(sum, planned.needs[r][item.field.index]) end
  end
  return finish(sum)
end

function sums.of_spec(plan)
  local model, grid = plan.model, plan.model.grid
  local sum = add_text(begin(plan, A_SPEC, 0), model.name)
  sum = add_two(sum, #grid.axes, plan.tiles)
  sum = add_two(sum, #model.fields, #model.exchanges)
  sum = add_two(sum, #plan.positions, grid.is_list and 1 or 0)
  for a, axis in ipairs(grid.axes) do
    sum = add_text(sum, axis)
    sum = add_two(sum, grid.periodic[a] and 1 or 0, grid.decomposed[a] and 1 or 0)
    sum = add_two(sum, grid.cells[a] or 0, grid.first_fastest and 1 or 0)
  end
  return finish(sum)
end

-- view: of cuda.lua or cuda_listed.lua.
function sums.of_device(plan, view)
  local sum = add_two(begin(plan, A_DEVICE, 0), #view.kinds, #view.fields)
  for _, kind in ipairs(view.kinds) do
    sum = add_two(sum, number_of(SHAPES, kind.shape), kind.word)
    sum = add_two(sum, kind.count or 0, 0)
  end
  for _, field in ipairs(view.fields) do
    for i = 1, #field.numbers, 2 do sum = add_two(sum, field.numbers[i], field.numbers[i + 1]) end
  end
  sum = add_two(sum, #view.wires, 0)
  for _, wired in ipairs(view.wires) do
    for i = 1, #wired.numbers, 2 do sum = add_two(sum, wired.numbers[i], wired.numbers[i + 1] or 0) end
  end
  return finish(sum)
end

return sums
