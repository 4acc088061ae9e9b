-- From the plan to the views that the templates print, and from the templates to the outputs.
--
-- A view holds words, numbers and short expressions, never blocks of code: the loops are in the templates.

local cuda = require "emit.cuda"
local cuda_listed = require "emit.cuda_listed"
local directions = require "plan.directions"
local emit_check = require "emit.emit_check"
local emit_cxx = require "emit.emit_cxx"
local emit_cycles = require "emit.emit_cycles"
local emit_fortran = require "emit.emit_fortran"
local emit_python = require "emit.emit_python"
local geometry = require "grids.geometry"
local initializers = require "emit.initializers"
local kernels = require "emit.kernels"
local memory = require "model.memory"
local names = require "model.names"
local operations = require "model.operations"
local ordered = require "base.ordered"
local outputs = require "model.outputs"
local params = require "language.params"
local prose = require "emit.prose"
local prose_exchange = require "emit.prose_exchange"
local report = require "base.report"
local sums = require "emit.sums"
local template = require "base.template"
local wires = require "model.wires"

local emit = {}

-- Of hx/abi.h: which contract emitted code keeps.
local ABI = 23

local braces, from_zero = initializers.braces, initializers.from_zero

local LETTERS = { "i", "j", "k", "l" }

-- "nx" for an axis with a one-letter name, "n_lat" for others.
local function cells_name(axis)
  return #axis == 1 and "n" .. axis or "n_" .. axis
end

-- What views and kernels know of each axis.
function emit.axes(model)
  local grid, axes, types = model.grid, {}, { [model.name] = true }
  for _, struct in ipairs(model.structs) do types[struct.name] = true end
  for a, name in ipairs(grid.axes) do
    axes[a] = {
      index = a - 1,
      name = name,
      parameter = names.parameter_of_axis(name, types),
      enum = names.constant_of_axis(model.name, name),
      letter = LETTERS[a],
      cells = cells_name(name),
      step = #name == 1 and "s" .. name or "s_" .. name,
      fixed = grid.cells[a],
      periodic = grid.periodic[a] and 1 or 0,
      decomposed = grid.decomposed[a] and 1 or 0,
    }
  end
  return axes
end

-- The expression (i + 2) + (j + 2) * stride of `name_u_at`; of fields with components, (i + 2) * 5 + … + c.
local function offset_of(field, axes, upper)
  local terms, fixed, elements = {}, memory.fixed_strides(field), memory.in_a_point(field)
  local function literal(number) return ("(ptrdiff_t)%d"):format(number) end
  for position, axis in ipairs(field.order) do
    local halo, index, stride = memory.around(field, "lo", axis), axes[axis].parameter, nil
    if position > 1 then
      stride = fixed[axis] > 0 and literal(fixed[axis]) or ("s->stride[%s][%d]"):format(upper, axis - 1)
    elseif elements and elements > 1 then
      stride = literal(elements)
    end
    if halo > 0 then index = ((stride or #field.order > 1) and "(%s + %d)" or "%s + %d"):format(index, halo) end
    terms[position] = stride and ("%s * %s"):format(index, stride) or index
  end
  if memory.apart(field) then terms[#terms + 1] = ("c * s->apart[%s]"):format(upper) end
  if elements then terms[#terms + 1] = "c" end
  return table.concat(terms, " + ")
end

-- Along each axis, what an index of `name_u_at` is checked for: its parameter, the first and one behind the last.
local function ranges_of(field, axes)
  local ranges = {}
  for a, axis in ipairs(axes) do
    local more = geometry.extra(field.at[a]) + memory.around(field, "hi", a)
    ranges[a] = { index = axis.parameter, first = tostring(-memory.around(field, "lo", a)),
      last = ("s->part.n[%s]"):format(axis.enum) .. (more > 0 and " + " .. more or "") }
  end
  if field.components then ranges[#ranges + 1] = { index = "c", first = "0", last = tostring(field.components.count) } end
  return ranges
end

-- What the fields have, as keys: bools, components.
local function kinds_of(fields)
  local kinds = { bool = false, components = false, apart = false, behind = false }
  for _, field in ipairs(fields) do
    kinds.bool = kinds.bool or field.ctype.kind == "bool"
    kinds.components = kinds.components or field.components ~= nil
    kinds.behind = kinds.behind or field.behind or false
    kinds.apart = kinds.apart or memory.apart(field)
  end
  return kinds
end

-- The structs that fields are made of, each once, and their headers, each once and sorted.
local function structs_of(fields)
  local structs, headers, seen = {}, {}, {}
  for _, field in ipairs(fields) do
    local struct = field.ctype.kind == "struct" and field.ctype
    if struct and not seen[struct.name] then
      structs[#structs + 1] = struct
      seen[struct.name] = true
    end
  end
  for _, struct in ipairs(structs) do
    if not seen["#include " .. struct.header] then
      headers[#headers + 1] = struct.header
      seen["#include " .. struct.header] = true
    end
  end
  return structs, ordered.sort(headers)
end

local function field_views(plan, families, axes, prefix)
  local views = {}
  for f, field in ipairs(plan.model.fields) do
    local upper = prefix .. "_" .. field.name:upper()
    local interleaved = field.components and not memory.apart(field)
    local any = families:any_of(field)
    views[f] = {
      name = field.name,
      enum = upper,
      type = field.type,
      point = field.type .. (interleaved and ("[%d]"):format(field.components.count) or ""),
      components = field.components and field.components.count or false,
      components_after = memory.apart(field) and field.components.after,
      line = field.where.line,
      kind = field.ctype.kind,
      positions = plan.positions_of[f] - 1,
      order = braces(from_zero(field.order)),
      reverses = braces(plan.positions[plan.positions_of[f]].reverses),
      any_reverses = memory.any(plan.positions[plan.positions_of[f]].reverses),
      on_device = memory.on_device(field),
      padding = memory.any(field.padding) and braces(field.padding),
      fixed_stride = memory.any(memory.fixed_strides(field)) and braces(memory.fixed_strides(field)),
      halo_lo = braces(field.halo.lo),
      halo_hi = braces(field.halo.hi),
      behind = field.behind or false,
      offset = offset_of(field, axes, upper),
      ranges = ranges_of(field, axes),
      vector = field.vector and "vector_" .. field.vector.name or false,
      any = any and "&kernels_" .. any.name or "NULL",
      sum = sums.of_field(plan, field),
    }
  end
  return views
end

-- Parameters of the spec as constants of C.
local function param_views(model)
  local views = {}
  for i, param in ipairs(model.params or {}) do
    views[i] = { constant = names.constant_of_param(model.name, param.name), value = params.in_c(param.value) }
  end
  return views
end

local function vector_views(plan, prefix)
  local views = {}
  for v, vector in ipairs(plan.model.vectors or {}) do
    local enums = {}
    for a = 1, #plan.model.grid.axes do
      local field = vector.fields[a]
      enums[a] = field and prefix .. "_" .. field.name:upper() or "-1"
    end
    enums[#enums + 1] = "HX_END"
    views[v] = { name = vector.name, components = braces(enums) }
  end
  return views
end

local function direction_key(directions)
  local rows = {}
  for i, direction in ipairs(directions) do rows[i] = braces(direction) end
  return table.concat(rows, ", "), rows
end

-- Each distinct list of directions once; exchanges refer to it by name.
local function direction_views(plan)
  local lists, name_of = {}, {}
  local by_key = {}
  for e, planned in ipairs(plan.exchanges) do
    local key, rows = direction_key(planned.directions)
    if #rows == 0 then
      by_key[key] = "NULL"
    elseif not by_key[key] then
      by_key[key] = "directions_" .. (#lists + 1)
      lists[#lists + 1] = { name = by_key[key], rows = rows, note = planned.exchange.stencil }
    end
    name_of[e] = by_key[key]
  end
  return lists, name_of
end

-- An exchange's fields in spec order, by name and number; of many, the first few.
local function names_of(exchange, prefix)
  local names = {}
  for i = 1, math.min(#exchange.items, 6) do
    local field = exchange.items[i].field
    names[i] = { name = field.name, enum = prefix .. "_" .. field.name:upper(), on_device = memory.on_device(field) }
  end
  return names
end

-- {{HX_FILL_NONE, HX_FILL_ZERO}, …}
local function wall_table(wall)
  local axes = {}
  for a in ipairs(wall.lo) do axes[a] = braces { "HX_FILL_" .. wall.lo[a]:upper(), "HX_FILL_" .. wall.hi[a]:upper() } end
  return braces(axes)
end

-- Fields of half precision of which some exchange makes sums, minima or maxima on the host.
local function added_halves(model)
  local out, seen = {}, {}
  for _, exchange in ipairs(model.exchanges) do
    for _, item in ipairs((operations.returns(exchange) or exchange.shared == "sum") and exchange.items or {}) do
      local field = item.field
      if field.ctype.kind == "half" and not memory.on_device(field) and not seen[field] then out[#out + 1] = field end
      seen[field] = true
    end
  end
  return out
end

local function names_hook(exchange)
  for _, side in ipairs { "lo", "hi" } do
    for _, fill in ipairs(exchange.boundary[side]) do
      if fill == "hook" then return true end
    end
  end
  return false
end

-- Whether hooks are asked for, for fields of the host and for those on a device.  Also where no field has ghost points
-- there: who writes "hook" has a function to give.
local function find_hooks(model)
  local host, device = false, false
  for _, exchange in ipairs(model.exchanges) do
    for _, item in ipairs(names_hook(exchange) and exchange.items or {}) do
      local there = memory.on_device(item.field)
      host, device = host or not there, device or there
    end
  end
  return host, device
end

-- Lists of components and tables of lists, one entry per direction, each distinct one once: picks.of[e][i] is the name of
-- the table of item i of exchange e, or "NULL".
local function pick_views(plan)
  local picks, names = { lists = {}, tables = {}, of = {} }, {}
  local function name(list, start, text, entry)
    if not names[text] then
      names[text] = start .. #list + 1
      entry.name = names[text]
      list[#list + 1] = entry
    end
    return names[text]
  end
  local function entry_of(picked)
    if #picked == 0 then return "{0, NULL}" end
    local text = table.concat(from_zero(picked), ", ")
    local list = name(picks.lists, "picked_", text, { components = braces { text, "HX_END" } })
    return ("{HX_ROWS(%s), %s}"):format(list, list)
  end
  for e, planned in ipairs(plan.exchanges) do
    picks.of[e] = {}
    for i in ipairs(planned.items) do
      local entries = {}
      for d, picked in ipairs(planned.picks[i] or {}) do entries[d] = entry_of(picked) end
      picks.of[e][i] = #entries > 0 and name(picks.tables, "picks_", table.concat(entries, " "), { entries = entries }) or "NULL"
    end
  end
  return picks
end

local function link_text(link)
  local maps = {}
  for a, map in ipairs(link.map) do
    maps[a] = braces { map.axis - 1, map.sign, map.destination_cells, map.source_cells, map.offset }
  end
  return braces {
    link.tile - 1, link.source - 1, braces(link.direction), braces(maps),
    link.component == 0 and -1 or link.component - 1, link.sign,
  }
end

local function link_row(link, axes)
  local where = {}
  for a, side in ipairs(link.direction) do
    if side ~= 0 then where[#where + 1] = axes[a].name .. (side < 0 and " below" or " above") end
  end
  return { text = link_text(link), note = table.concat(where, ", ") }
end

-- Rows of a table of links, as wide as the widest.
local function link_rows(links, axes)
  local rows, width = {}, 0
  for l, link in ipairs(links) do
    rows[l] = link_row(link, axes)
    width = math.max(width, #rows[l].text)
  end
  for _, row in ipairs(rows) do row.text = row.text .. "," .. (" "):rep(width - #row.text) end
  return rows
end

-- Tables of links that fill corners, each distinct one once, and for each exchange its fills: { axis = name, tables = { name and
-- number of links per item } }.
local function corner_views(plan, axes)
  local views, names = { tables = {}, of = {} }, {}
  local function table_of(links)
    local rows = link_rows(links, axes)
    local texts = {}
    for r, row in ipairs(rows) do texts[r] = row.text end
    local key = table.concat(texts, " ")
    if #links > 0 and not names[key] then
      names[key] = "corners_" .. #views.tables + 1
      views.tables[#views.tables + 1] = { name = names[key], rows = rows }
    end
    return { name = names[key] or "NULL", count = #links }
  end
  for e, planned in ipairs(plan.exchanges) do
    views.of[e] = {}
    for f, fill in ipairs(planned.corners) do
      local tables = {}
      for i in ipairs(planned.items) do tables[i] = table_of(fill.links[i]) end
      views.of[e][f] = { axis = axes[fill.axis].name, index = f - 1, tables = tables, manual = prose_exchange.corners(plan, planned, fill) }
    end
  end
  return views
end

local function exchange_views(plan, families, direction_name, picks, corners, prefix)
  local views = {}
  for e, planned in ipairs(plan.exchanges) do
    local items = {}
    for i, item in ipairs(planned.items) do
      local set = families:set_of(item)
      items[i] = {
        enum = prefix .. "_" .. item.field.name:upper(),
        lo = braces(item.lo),
        hi = braces(item.hi),
        kernels = set and "&kernels_" .. set.name or "NULL",
        picks = picks.of[e][i],
        wire = item.wire and wires.formats[item.wire].constant or "HX_WIRE_NOT",
      }
    end
    local exchange = planned.exchange
    local operation = "HX_" .. exchange.operation:upper()
    local combines = planned.shared and ({ mean = "HX_MEAN", sum = "HX_SUM" })[planned.shared]
    -- Means and sums have an order of summation, that of the owners.
    local shared = planned.shared and "HX_SHARED_" .. (planned.shared == "greater" and "GREATER" or "OWNER")
    views[e] = {
      name = exchange.name,
      enum = prefix .. "_" .. exchange.name:upper(),
      line = exchange.where.line,
      items = items,
      names = names_of(exchange, prefix),
      count = #items,
      directions = direction_name[e],
      direction_count = #planned.directions,
      on_device = memory.carries_device(exchange),
      returns = operations.returns(exchange),
      operation = operation,
      keeps = exchange.keeps or false,
      combines = combines,
      shared = shared,
      sum = sums.of_exchange(plan, e, families, { operation = combines or operation,
        shared = shared or "HX_SHARED_NOT" }),
      stencil = type(exchange.stencil) == "table" and "list" or exchange.stencil,
      by_dimension = planned.by_dimension,
      boundary = exchange.fills and wall_table(planned.boundary),
      corners = corners.of[e],
      fills = wall_table(exchange.boundary),
      manual = prose.exchange(plan, planned),
    }
  end
  return views
end

local function bounds_text(bounds)
  local out = {}
  for a, bound in ipairs(bounds) do out[a] = braces { bound.halves, bound.offset } end
  return braces(out)
end

local function rewrite_rows(positions)
  local rows = {}
  for r, rewrite in ipairs(positions.rewrites) do
    rows[r] = braces { link_text(rewrite.link), bounds_text(rewrite.lo), bounds_text(rewrite.hi) }
  end
  return rows
end

local function position_views(plan, axes)
  local views = {}
  for c, positions in ipairs(plan.positions) do
    local rows = link_rows(positions.links, axes)
    views[c] = { name = "links_" .. c, extra = braces(positions.extra), mirror = braces(positions.mirror), rows = rows, count = #rows,
      rewrites = rewrite_rows(positions), rewrites_name = "rewrites_" .. c, sum = sums.of_positions(plan, c) }
  end
  return views
end

-- Bytes that cross one cell face of a cut across an axis when every exchange is done once.
function emit.face_bytes(plan, axis)
  local bytes = 0
  for _, planned in ipairs(plan.exchanges) do
    for _, item in ipairs(planned.items) do
      local below, above = {}, {}
      for a = 1, #item.lo do below[a], above[a] = a == axis and -1 or 0, a == axis and 1 or 0 end
      bytes = bytes + wires.size(item) * (item.lo[axis] * directions.count(item.field, below)
        + item.hi[axis] * directions.count(item.field, above))
    end
  end
  return bytes
end

-- "n_cell, n_level": the cells along all axes, as words or literals.
local function ordered_counts(cells)
  local words = {}
  for a, count in ipairs(cells) do words[a] = tostring(count) end
  return table.concat(words, ", ")
end

local function partition_view(plan, axes)
  local arguments, example = {}, {}
  local parameters, cells, ranks, nulls, periodic, bytes = {}, {}, {}, {}, {}, {}
  for a, axis in ipairs(axes) do
    if not axis.fixed then
      parameters[#parameters + 1] = "int " .. axis.cells
      arguments[#arguments + 1] = ("cells[%d]"):format(axis.index)
      example[#example + 1] = axis.cells
    end
    cells[a] = axis.fixed or axis.cells
    ranks[a] = axis.decomposed == 1 and 0 or 1
    nulls[a] = "NULL"
    periodic[a] = axis.periodic
    bytes[a] = ("%d.0"):format(emit.face_bytes(plan, a))
  end
  return {
    parameters = #parameters > 0 and table.concat(parameters, ", ") or "void",
    example = table.concat(example, ", "),
    counts = ordered_counts(cells),
    check_arguments = table.concat(arguments, ", "),
    face_bytes = braces(bytes),
    value = braces {
      #axes, braces(cells), braces(ranks), plan.model.grid.first_fastest and 1 or 0, braces(nulls), braces(periodic), braces(bytes),
    },
  }
end

local function collect(axes, key)
  local out = {}
  for a, axis in ipairs(axes) do out[a] = axis[key] end
  return out
end

-- Axes from the fastest in memory.
local function in_order(axes, order)
  local out = {}
  for position, axis in ipairs(order) do out[position] = axes[axis] end
  return out
end

local function quoted(list)
  local out = {}
  for i, text in ipairs(list) do out[i] = ('"%s"'):format(text) end
  return out
end

local function basename(path)
  return path == "-" and "standard input" or path:match("[^/]*$")
end

-- Text of the user's that goes into comments and C strings: printable ASCII, nothing that could end either.
local function harmless(text)
  return (text:gsub("[^%w%._+ -]", "_"))
end

-- The spec's file, as emitted text and sentences of libhx name it.
function emit.file_name(model)
  return harmless(basename(model.file))
end

-- What the header shows in use, of exchanges or of cycles: the first on a device, if there is one.
local function example_of(views)
  for _, view in ipairs(views) do
    if view.on_device then return view end
  end
  return views[1]
end

-- ---- the view of a spec -----------------------------------------------------------------------------------------------

-- What tells one spec, and one contract, from another.
local function identity_of(model)
  return {
    name = model.name,
    prefix = model.name:upper(),
    file = emit.file_name(model),
    hash = model.hash,
    abi = ABI,
    model = ("%s_model_%s_%d"):format(model.name, model.hash, ABI),
    asks = names.constant(model.name, "asks_for_model"),
    asked = ("%s_%d"):format(model.hash, ABI),
    version = host.options.version,
    overrides = host.overrides(),
  }
end

-- Lists of all axes, as C has them.
local function lists_of_axes(model, axes)
  local fixed = {}
  for a, axis in ipairs(axes) do fixed[a] = axis.fixed or 0 end
  local parameters = collect(axes, "parameter")
  return {
    dimensions = #axes,
    axes = axes,
    axis_names = braces(quoted(model.grid.axes)),
    periodic = braces(collect(axes, "periodic")),
    decomposed = braces(collect(axes, "decomposed")),
    fixed_cells = braces(fixed),
    indices = table.concat(parameters, ", "),
    walked = in_order(axes, model.grid.order),
    found_parameters = "int *" .. table.concat(parameters, ", int *"),
    index_parameters = "int " .. table.concat(parameters, ", int "),
    model_axes = model.grid.axes,
  }
end

-- Functions that templates call.
local FORMS = {
  indent = function(depth) return ("    "):rep(depth) end,
  -- A table and the number of its entries, as the compiler counts them.
  counted = function(name) return name == "NULL" and "NULL, 0" or ("%s, HX_ROWS(%s)"):format(name, name) end,
  -- The point at the start of a row behind a pointer; `row` is "" or " + j * sy + k * sz".
  element = function(pointer, row)
    return row == "" and "*" .. pointer or ("%s[%s]"):format(pointer, row:sub(4))
  end,
  -- White space under the parameters of a function whose declaration starts with `text`.
  pad = function(text) return (" "):rep(#text + 1) end,
}

local function merge(view, parts)
  for _, part in ipairs(parts) do
    for key, value in ordered.pairs(part) do view[key] = value end
  end
  return view
end

function emit.view(plan)
  local model = plan.model
  local prefix = model.name:upper()
  local axes = emit.axes(model)
  local families = kernels.families(plan, axes)
  local hooks, device_hooks = find_hooks(model)
  local direction_lists, direction_name = direction_views(plan)
  local structs, headers = structs_of(model.fields)
  local picks = pick_views(plan)
  local corners = corner_views(plan, axes)
  local view = merge({
    sum = sums.of_spec(plan),
    tiles = plan.tiles,
    list = model.grid.is_list or false,
    first_fastest = model.grid.first_fastest or false,
    structs = structs,
    headers = headers,
    added_halves = added_halves(model),
    hooks = hooks,
    device_hooks = device_hooks,
    uses = kinds_of(model.fields),
    fields = field_views(plan, families, axes, prefix),
    vectors = vector_views(plan, prefix),
    exchanges = exchange_views(plan, families, direction_name, picks, corners, prefix),
    picks = picks,
    corners = corners,
    directions = direction_lists,
    positions = position_views(plan, axes),
    kernels = families,
    operations = operations,
    cuda = memory.any_on_device(model) and (model.grid.is_list and cuda_listed or cuda).view(plan),
    partition = partition_view(plan, axes),
    manual = prose.manual(plan, cells_name),
    params = param_views(model),
  }, { identity_of(model), lists_of_axes(model, axes), FORMS })
  view.cycles = emit_cycles.views(plan, view.exchanges)
  view.cuda_sum = view.cuda and sums.of_device(plan, view.cuda)
  emit_check.add(view, plan)
  emit_cxx.add(view, plan)
  emit_fortran.add(view, plan)
  emit_python.add(view, plan)
  view.example, view.example_cycle = example_of(view.exchanges), example_of(view.cycles) or false
  return view
end

-- Does the text give the name, which is that of a type, to a function or a table as well?  These are made of types and
-- numbers (copy_double, directions_2), and so only the text knows all of them.
local function defines(text, name)
  return text:find("\nstatic [^\n]-%f[%w_]" .. name .. "%f[^%w_] ?[%(%[=]") ~= nil
end

local function types_are_no_names_in(model, text)
  local types = { { kind = "spec", code = "HG1205", name = model.name, where = model.where } }
  for _, struct in ipairs(model.structs) do
    types[#types + 1] = { kind = "struct", code = "HG1407", name = struct.name, where = struct.where }
  end
  for _, entry in ipairs(types) do
    if defines(text, entry.name) then
      report.error(entry.code, entry.where, ("%s cannot be the name of a %s: emitted code uses the word"):format(
        report.quote(entry.name), entry.kind), "take another name")
    end
  end
end

-- Sends the outputs, which nobody writes if an error is reported here.
function emit.run(plan)
  local view = emit.view(plan)
  for _, product in ipairs(outputs.of(plan.model)) do
    local text = template.render(product.template, view)
    if not product.is_python then types_are_no_names_in(plan.model, text) end
    host.output(plan.model.name .. product.ending, text)
  end
end

return emit
