-- Which kernels a plan needs.
--
-- A kernel is shared by everything of its shape: one type of points and one memory order.  Three kinds of shape:
--   rows    any region whose rows run along the fastest axis
--   strips  regions of a literal depth along the fastest axis: the halos across it
--   pairs   the halos on both sides of the fastest axis together
--   sweeps  the whole halo in one sweep, where links turn
--   picked  some of the components that lie side by side in each point
--   listed  runs of the points of a list, on grids without boxes, in place of all others
--   any     any box of points of a field, whatever exchanges carry: for redistribution
-- where links turn or walls mirror, kernels that walk both ends by any strides; for exchanges that send ghost points back, sums,
-- minima and maxima, and zeros; for shared points that agree on a mean or a sum, means and totals.

local boundary = require "plan.boundary"
local ctypes = require "model.ctypes"
local geometry = require "grids.geometry"
local memory = require "model.memory"
local names = require "model.names"
local operations = require "model.operations"
local wires = require "model.wires"

local kernels = {}

local function order_key(order)
  return table.concat(order, ",")
end

-- True if all fields of the plan lie in memory in one order; then kernel names need not tell it.
local function single_order(plan)
  local first = order_key(plan.model.fields[1].order)
  for _, field in ipairs(plan.model.fields) do
    if order_key(field.order) ~= first then return false end
  end
  return true
end

-- Does any link turn points around, and is the sign of any of them -1?
local function any_turn(plan)
  local turns, opposite = false, false
  for _, positions in ipairs(plan.positions) do
    for _, link in ipairs(positions.links) do
      for a, map in ipairs(link.map) do
        turns = turns or map.axis ~= a or map.sign ~= 1
      end
      opposite = opposite or link.sign ~= 1
    end
  end
  return turns or opposite, opposite
end

-- A name for a memory order: the axes from fastest to slowest.  Names of axes may hold underscores; then only their
-- numbers tell one order from another.
local function order_name(order, axes)
  local names, long = {}, false
  for i, axis in ipairs(order) do
    names[i] = axes[axis].name
    long = long or #names[i] > 1
    if names[i]:find("_", 1, true) then return "order_" .. table.concat(order) end
  end
  return table.concat(names, long and "_" or "")
end

-- " + j * sy + k * sz": what to add to a pointer for the start of a row; `prefix` goes before the steps' names.
local function row_offset(outer, prefix)
  local terms = {}
  for i = #outer, 1, -1 do
    terms[#terms + 1] = (" + %s * %s%s"):format(outer[i].letter, prefix, outer[i].step)
  end
  return table.concat(terms)
end

-- " + 3 * side_j + 9 * side_k": from the first of a block's directions to the first of those that lie along a row.
local function row_of_directions(outer)
  local terms = {}
  for i = #outer, 1, -1 do
    terms[#terms + 1] = (" + %d * side_%s"):format(math.tointeger(3 ^ (#outer - i + 1)), outer[i].letter)
  end
  return table.concat(terms)
end

-- " + from_i * row[0].stride[0]": from the first point of a pull to the first of its rows along the last of these axes.
local function pulled_row(outer)
  return function(side)
    local terms = {}
    for i = #outer - 1, 1, -1 do
      local letter, index = outer[i].letter, outer[i].index
      terms[#terms + 1] = (" + from_%s * row[%d].stride[%d]"):format(letter, side, index)
    end
    return table.concat(terms)
  end
end

-- The pieces of a row of the halo: below, along and above the owned points.
local function pieces_of_row(family, lo, hi)
  local pieces, n = {}, family.fastest.cells
  local function add(side, name, to, points)
    pieces[#pieces + 1] = {
      side = side, from = name, step = name .. "_step", next = name .. "_next", sign = name .. "_sign",
      to = to, points = points,
    }
  end
  if lo > 0 then add(0, "lo_in", "out - " .. lo, lo) end
  add(1, "in", "out", n)
  if hi > 0 then add(2, "hi_in", "out + " .. n, hi) end
  return pieces
end

-- The expression for the opposite of `value`; the smallest signed integer has none, so it is left to unsigned arithmetic.
local function negated(ctype)
  if not ctypes.can_negate(ctype) then return false end
  return ctype.kind == "integer" and ("(%s)(0u - (uintmax_t)value)"):format(ctype.name) or "-value"
end

-- What is done to a number at `to` with one at `from`.  Integers are added as unsigned ones, so that no sum is undefined; structs
-- are copied with what lies between their members.
local function of_one_number(ctype, name)
  local one = {}
  function one.copy(to, from)
    if ctype.kind == "struct" then return ("memcpy(&%s, &%s, sizeof %s);"):format(to, from, to) end
    return ("%s = %s;"):format(to, from)
  end
  function one.add(to, from)
    if ctype.kind == "integer" then return ("%s = (%s)((uintmax_t)%s + (uintmax_t)%s);"):format(to, ctype.name, to, from) end
    return ("%s += %s;"):format(to, from)
  end
  for _, how in ipairs { "min", "max" } do
    one[how] = function(to, from) return ("%s = %s_%s(%s, %s);"):format(to, how, name, to, from) end
  end
  return one
end

-- How the points of a list lie: { levels = the slower axis that goes along whole, or nil } or, where that axis is the faster
-- one, so that each point is a row, { row =, step = } as words or literals; nil on other grids.
local function listing_of(field, axes)
  if not field.grid.is_list then return nil end
  if field.order[1] == 1 then return { levels = axes[2] } end
  local cells, step = field.grid.cells[2], memory.fixed_strides(field)[1] // (memory.in_a_point(field) or 1)
  return { row = cells and tostring(cells + geometry.extra(field.at[2])), step = step > 0 and tostring(step) }
end

-- How whole points are moved, as statements: to a message, out of it, or from array to array.  count: how many, as an
-- expression; sized: the pointer whose points are meant.
local function moving(family)
  local verbs = { pack = "narrow", unpack = "widen", copy = "round" }
  return function(how, to, from, count, sized)
    if family.wire then return ("%s_%s(%s, %s, %s);"):format(verbs[how], family.name, to, from, count) end
    return ("memcpy(%s, %s, %s * sizeof *%s);"):format(to, from, count, sized)
  end
end

-- What emitted code has to know of a format: { format =, real = type of the numbers that points are made of, name = of that type in
-- names, numbers = of them in a point, in_one = of them in a component, type = in a message, whole = of integers, of which the
-- least travels in place of one that does not fit }.
local function wire_view(field, wire)
  local number, format = wires.numbers(field), wire and wires.formats[wire]
  return wire and {
    format = wire, real = number.name, name = number.whole and names.of_type(field) or number.name, numbers = wires.in_a_point(field),
    in_one = number.count, type = format.type, whole = format.whole or false,
  }
end

-- What in a listing is literal, as the end of a name.
local function listing_suffix(listing)
  if not listing or not listing.row then return "" end
  return "_rows_of_" .. listing.row .. (listing.step ~= listing.row and "_in_" .. (listing.step or "any") or "")
end

-- What a sum of complex numbers is divided by.
local REAL_OF = { hx_complex64 = "float", hx_complex128 = "double" }

local function new_family(field, axes, suffix, wire)
  local outer = {}
  for position = #field.order, 2, -1 do
    outer[#outer + 1] = axes[field.order[position]]
  end
  local components = memory.in_a_point(field)
  local family = {
    name = names.of_shape(field) .. suffix,
    type = field.type,
    wire = wire_view(field, wire) or false,
    components = components,
    point = components and names.of_shape(field) or field.type,
    -- Points that no assignment copies: arrays, and structs with what lies between their members.
    bytes = components or field.ctype.kind == "struct",
    negated = negated(field.ctype),
    adding = {}, -- which of operations.returning are needed
    mean = false,
    total = false,
    real = REAL_OF[field.type] or field.type,
    zero = false,
    copy_turned = false,
    swept = false, -- whether any of its sets has a sweep
    opposite = false, -- whether it may be that of points
    dimensions = #axes,
    turned = {}, -- kernels of a depth
    fastest = axes[field.order[1]],
    outer = outer,
    listing = listing_of(field, axes) or false,
    listed = {}, picked = {}, -- which operations are needed there, zero, and any
    one = of_one_number(field.ctype, names.of_type(field)),
    strips = {},
    pairs = {},
    sets = {},
  }
  -- Combines in[i] with out[i], or their components c.
  function family.combine(how)
    local i = axes[field.order[1]].letter .. (components and "][c" or "")
    return family.one[how](("out[%s]"):format(i), ("in[%s]"):format(i))
  end
  -- Combines `value`, or its opposite where `sign` says so, with a number at `to`.
  function family.combine_signed(how, to)
    return family.one[how](to, how == "add" and family.negated and ("(sign < 0 ? %s : value)"):format(family.negated) or "value")
  end
  -- The type of a point in a message.
  family.message = not wire and family.point or family.wire.numbers == 1 and family.wire.type or family.name .. "_message"
  family.move = moving(family)
  family.row = row_offset(outer, "")
  family.to_row = row_offset(outer, "to_")
  family.from_row = row_offset(outer, "from_")
  family.sides = row_of_directions(outer)
  family.pulled = pulled_row(outer)
  return family
end

-- The entry of `list` with this name, made at the first call.
local function once(list, name, make)
  for _, entry in ipairs(list) do
    if entry.name == name then return entry end
  end
  local entry = make()
  entry.name = name
  list[#list + 1] = entry
  return entry
end

local function add_strip(family, depth)
  once(family.strips, family.name .. "_" .. depth, function() return { depth = depth } end)
end

-- Links that turn are as deep as a width, along whichever axis.  Kernels for a depth write out each point: thinner ones
-- have no loop along it, and where it is deep a loop is as good.
local DEEPEST_TURNED = 8

local function add_turned(family, item)
  for a in ipairs(item.lo) do
    for _, depth in ipairs { item.lo[a], item.hi[a] } do
      if depth > 1 and depth <= DEEPEST_TURNED then
        once(family.turned, family.name .. "_" .. depth, function() return { depth = depth } end)
      end
    end
  end
end

-- Shared points across the fastest axis are one deep.
local function depths_of(planned, item)
  local fastest = item.field.order[1]
  if planned.shared then return item.field.at[fastest] == "both" and 1 or 0, 0 end
  return item.lo[fastest], item.hi[fastest]
end

-- Items of which some of the components that lie side by side travel have kernels of their own for that.
local function is_picked(family, item)
  return family.components and item.field.directions
end

-- Are rows of whole points copied beyond a wall?
local function copies_rows(wall, item)
  local found = false
  boundary.each(wall, item, function(a, _, fill) found = found or fill == "copy" and a ~= item.field.order[1] end)
  return found
end

-- What the name of a set of kernels ends with.
local function suffix_of(how)
  return how == "copy" and "" or "_" .. how
end

-- The set of kernels that serves picked items of exchanges with an operation.
local function add_picked_set(family, how, zeroes)
  family.picked.any, family.picked[how], family.picked.zero = true, true, family.picked.zero or zeroes
  return once(family.sets, ("%s_picked%s"):format(family.name, suffix_of(how)), function()
    return { exact = false, depths = {}, combine = false, picking = how, listing = false, rows = false, copy = false, zero = false, copy_turned = false, sweep = false }
  end)
end

-- The set of kernels that serves items of exchanges of lists with an operation.
local function add_listed_set(family, how, zeroes)
  family.listed[how], family.listed.zero = true, family.listed.zero or zeroes
  return once(family.sets, ("%s_listed%s"):format(family.name, suffix_of(how)), function()
    return { exact = false, depths = {}, combine = false, listing = how, picking = false, rows = false, copy = false, zero = false, copy_turned = false, sweep = false }
  end)
end

-- The set of kernels that serves other items of these depths along the fastest axis, of exchanges with an operation.
local function add_set(family, lo, hi, how, combine)
  local distinct = {}
  for _, depth in ipairs { lo, hi } do
    if depth > 0 and depth ~= distinct[1] then
      distinct[#distinct + 1] = depth
      add_strip(family, depth)
    end
  end
  local pair = lo > 0 and hi > 0
  if pair then
    once(family.pairs, ("%s_%d_%d"):format(family.name, lo, hi), function() return { lo = lo, hi = hi } end)
  end
  local adding = how ~= "copy" and how
  return once(family.sets, ("%s_%d_%d%s"):format(family.name, lo, hi, suffix_of(combine or how)), function()
    return {
      exact = false, combine = combine,
      depths_name = ("%s_%d_%d"):format(family.name, lo, hi), lo = lo, hi = hi, depths = distinct, pair = pair,
      rows = true, copy = true, adding = adding, zero = false, copy_turned = false, sweep = false, picking = false, listing = false,
      pieces = pieces_of_row(family, lo, hi),
    }
  end)
end

-- Does any link feed ghost points of an item?
local function is_fed(plan, item)
  for _, link in ipairs(plan.positions[plan.positions_of[item.field.index]].links) do
    local within = true
    for a, side in ipairs(link.direction) do
      within = within and (side == 0 or (side < 0 and item.lo or item.hi)[a] > 0)
    end
    if within then return true end
  end
  return false
end

-- Can the whole halo of an item be pulled from the blocks around it?  Only where links turn, so that exchanges go in one phase:
-- by dimension other kernels are faster.  And where there are halos across the fastest axis and across another one: else other
-- kernels touch each line of memory once, too.
local function is_swept(plan, planned, item, turned)
  if not turned then return false end
  if operations.returns(planned.exchange) or planned.exchange.stencil ~= "box" or item.field.directions then return false end
  local fastest, across, others = item.field.order[1], false, false
  for a in ipairs(item.lo) do
    local deep = item.lo[a] > 0 or item.hi[a] > 0
    if a == fastest then across = deep else others = others or deep end
  end
  return across and others and is_fed(plan, item)
end

-- Kernels that make one number of what all blocks hold of a point, by the rule that asks for it.
local COMBINED_BY = { mean = "mean", sum = "total" }

local Families = {}
Families.__index = Families

-- nil: for fields in the memory of devices.
function Families:set_of(item)
  return self.set[item]
end

-- What moves any box of a field; nil: of lists of points.
function Families:any_of(field)
  return self.any[field]
end

-- Of numbers of a type the lesser or the greater is asked for: { name =, type =, floats = whether there are NaNs and a zero with
-- a sign, min =, max = }.
local function note_extreme(families, field, how)
  local entry = once(families.extremes, names.of_type(field), function()
    return { type = field.type, floats = field.ctype.kind == "float" or field.ctype.kind == "half", min = false, max = false }
  end)
  entry[how] = true
end

-- wire: the format in which points travel; nil: as they are.
local function family_of(families, field, axes, wire)
  local suffix = (families.tell_order and "_" .. order_name(field.order, axes) or "") .. listing_suffix(listing_of(field, axes))
    .. (wire and "_as_" .. wire or "")
  local family = once(families.list, names.of_shape(field) .. suffix, function() return new_family(field, axes, suffix, wire) end)
  if wire then
    local number, format, view = wires.numbers(field), wires.formats[wire], wire_view(field, wire)
    once(families.wires, ("%s_of_%s"):format(wire, view.name), function()
      return {
        format = wire, real = view.real, real_name = view.name, type = format.type, most = format.most, whole = view.whole,
        unsigned = number.unsigned or false,
      }
    end)
  end
  if family.components then
    once(families.points, family.point, function() return { type = family.type, components = family.components } end)
  end
  return family
end

-- Beside kernels that round there are those that do not: for walls, corners of tiles and redistribution.
local function add_exact(families, family, field, axes)
  local exact = family_of(families, field, axes)
  if not family.listing then return exact.name .. "_any" end -- of add_any
  local set = add_listed_set(exact, "copy", false)
  set.family = exact
  return set.name
end

-- The set of kernels that an item of an exchange needs, in a family that has it.
local function add_item(families, plan, planned, item, axes)
  if item.wire then family_of(families, item.field, axes) end -- tables of kernels that round point to those that do not
  local family = family_of(families, item.field, axes, item.wire)
  local lo, hi = depths_of(planned, item)
  local how, returns, picked = planned.exchange.operation, operations.returns(planned.exchange), is_picked(family, item)
  local zeroes = returns and not planned.exchange.keeps
  local combine = COMBINED_BY[planned.shared] or false
  local set = family.listing and add_listed_set(family, how, zeroes) or picked and add_picked_set(family, how, zeroes)
    or add_set(family, lo, hi, how, combine)
  local zero, mirrored = boundary.needs(planned.boundary, item)
  mirrored = mirrored or #planned.corners > 0
  set.family = family
  if item.wire then
    local exact = family_of(families, item.field, axes)
    set.exact, set.zeroing = add_exact(families, family, item.field, axes), exact.name
    exact.zero = exact.zero or zero or set.rows and zeroes
  end
  set.zero, set.copy_turned = set.zero or zero or set.rows and zeroes, set.copy_turned or families.turned and not returns or mirrored
  set.copy = set.copy or copies_rows(planned.boundary, item)
  set.sweep = set.sweep or is_swept(plan, planned, item, families.turned)
  family.swept = family.swept or set.sweep
  family.rows, family.copy = family.rows or set.rows, family.copy or set.copy
  if set.adding then family.adding[set.adding] = true end
  family.zero = family.zero or not item.wire and set.zero
  if operations.picks(how) then note_extreme(families, item.field, how) end
  if combine then family[combine] = true end
  family.copy_turned = family.copy_turned or set.copy_turned
  family.opposite = family.opposite or family.negated and (families.opposite or mirrored)
  families.pieces = families.pieces or family.copy_turned and #axes > 2
  if families.turned and not returns then add_turned(family, item) end
  families.ahead = families.ahead or #family.turned > 0 and #axes > 2
  families.beyond = families.beyond or families.pieces or #family.turned > 0 and #axes > 1
  families.set[item] = set
end

-- Rows for boxes that lie alike in both arrays, and any strides where one of them is folded, or is an array of the application's.
local function add_any(families, field, axes)
  local family = family_of(families, field, axes)
  local set = once(family.sets, family.name .. "_any", function()
    return {
      exact = false, depths = {}, rows = true, copy = true, copy_turned = true,
      combine = false, adding = false, zero = false, sweep = false, picking = false, listing = false,
    }
  end)
  set.family = family
  family.rows, family.copy, family.copy_turned = true, true, true
  family.opposite = family.opposite or family.negated and families.opposite
  families.pieces = families.pieces or #axes > 2
  families.beyond = families.beyond or families.pieces
  families.any[field] = set
end

-- All kernel families of a plan, in the order in which exchanges first need them.  Those of fields in the memory of devices are
-- in cuda.lua; what moves any box of them is here, too: a gather has the points in an array of the host.
function kernels.families(plan, axes)
  local turned, opposite = any_turn(plan)
  local families = setmetatable({
    list = {}, set = {}, any = {}, points = {}, wires = {}, extremes = {}, turned = turned, opposite = opposite, pieces = false, ahead = false, beyond = false, tell_order = not single_order(plan),
  }, Families)
  for _, planned in ipairs(plan.exchanges) do
    for _, item in ipairs(planned.items) do
      if not memory.on_device(item.field) then add_item(families, plan, planned, item, axes) end
    end
  end
  for _, field in ipairs(plan.model.fields) do
    if not field.grid.is_list then add_any(families, field, axes) end
  end
  return families
end

return kernels
