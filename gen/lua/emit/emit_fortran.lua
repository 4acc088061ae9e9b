-- What the views of emit.lua have for Fortran alone: kinds, dimensions, and lists of arguments in lines that are not too long.
--
-- In Fortran the indices of an array go from the fastest axis to the slowest, with the components where they lie.

local geometry = require "grids.geometry"
local memory = require "model.memory"

local emit_fortran = {}

-- The standard allows 132 characters in a line.
local WIDTH = 116

local KINDS = {
  ["char"] = "integer(c_signed_char)", ["signed char"] = "integer(c_signed_char)", ["unsigned char"] = "integer(c_signed_char)",
  ["short"] = "integer(c_short)", ["unsigned short"] = "integer(c_short)",
  ["int"] = "integer(c_int)", ["unsigned int"] = "integer(c_int)",
  ["long"] = "integer(c_long)", ["unsigned long"] = "integer(c_long)",
  ["long long"] = "integer(c_long_long)", ["unsigned long long"] = "integer(c_long_long)",
  ["int8_t"] = "integer(c_int8_t)", ["uint8_t"] = "integer(c_int8_t)",
  ["int16_t"] = "integer(c_int16_t)", ["uint16_t"] = "integer(c_int16_t)",
  ["int32_t"] = "integer(c_int32_t)", ["uint32_t"] = "integer(c_int32_t)",
  ["int64_t"] = "integer(c_int64_t)", ["uint64_t"] = "integer(c_int64_t)",
  ["intptr_t"] = "integer(c_intptr_t)", ["uintptr_t"] = "integer(c_intptr_t)",
  ["intmax_t"] = "integer(c_intmax_t)", ["uintmax_t"] = "integer(c_intmax_t)",
  ["size_t"] = "integer(c_size_t)", ["ptrdiff_t"] = "integer(c_ptrdiff_t)",
  ["float"] = "real(c_float)", ["double"] = "real(c_double)", ["long double"] = "real(c_long_double)",
  ["bool"] = "logical(c_bool)",
  ["hx_complex64"] = "complex(c_float_complex)", ["hx_complex128"] = "complex(c_double_complex)",
}

-- Words with commas between them, in lines that are continued: `start` stands before the first, `stop` behind the last.
local function wrapped(start, words, stop, margin)
  local lines, line = {}, margin .. start
  for w, word in ipairs(words) do
    local piece = word .. (w < #words and ", " or stop)
    if #line + #piece > WIDTH then
      lines[#lines + 1] = (line:gsub("%s*$", "")) .. " &"
      line = margin .. "    "
    end
    line = line .. piece
  end
  if #words == 0 then line = line .. stop end
  lines[#lines + 1] = line
  return table.concat(lines, "\n")
end

-- From where to where the indices of a field go along an axis; cells: the name of their number in a block.
local function bounds_along(field, axis, cells)
  local grid = field.grid
  local lo = 1 - memory.around(field, "lo", axis)
  local more = geometry.extra(field.at[axis]) + memory.around(field, "hi", axis) + field.padding[axis]
  local hi = grid.cells[axis] and not grid.decomposed[axis] and tostring(grid.cells[axis] + more)
    or more > 0 and ("%s+%d"):format(cells, more) or cells
  return lo == 1 and hi or ("%d:%s"):format(lo, hi)
end

-- The bounds of a field's array, one for each index.
local function bounds_of(field, axes)
  if field.behind then return { ":" } end -- its planes lie behind the owned points
  local bounds = {}
  for i, axis in ipairs(field.order) do bounds[i] = bounds_along(field, axis, axes[axis].cells) end
  if field.components and field.components.count > 1 then
    table.insert(bounds, field.components.after + 1, tostring(field.components.count))
  end
  return bounds
end

local function field_views(model, axes)
  local views = {}
  for f, field in ipairs(model.fields) do
    local bounds = bounds_of(field, axes)
    local kind = not memory.on_device(field) and KINDS[field.type]
    views[f] = {
      name = field.name,
      number = f,
      enum = model.name:upper() .. "_" .. field.name:upper(),
      kind = kind or false,
      gathered = KINDS[field.type] or false, -- to an array of the host
      on_device = memory.on_device(field),
      behind = field.behind or false,
      dimensions = "(" .. (":,"):rep(#bounds - 1) .. ":)",
      bounds = table.concat(bounds, ", "),
      type = field.ctype.said or field.type,
    }
  end
  return views
end

-- Dummies of one attribute together: { "real(c_double), ATTRIBUTES :: u(:,:,:), v(:,:,:)", … }; attributes_of: what stands
-- behind the type of a field.
local function declarations(fields, attributes_of)
  local out, names, at = {}, {}, {}
  for _, field in ipairs(fields) do
    local start, name = attributes_of(field)
    if not at[start] then
      out[#out + 1] = start
      names[start], at[start] = {}, true
    end
    table.insert(names[start], name)
  end
  local texts = {}
  for i, start in ipairs(out) do texts[i] = { start = start, names = names[start] } end
  return texts
end

local function as_argument(field)
  if field.on_device then return "type(c_ptr), value", field.name end
  if not field.kind then return "type(*), intent(inout), asynchronous, target", field.name .. "(..)" end
  return field.kind .. ", intent(inout), asynchronous, target", field.name .. field.dimensions
end

local function as_pointer(field)
  if not field.kind then return "type(c_ptr), value", field.name end
  return field.kind .. ", pointer, intent(in)", field.name .. field.dimensions
end

local function as_optional(field)
  if not field.kind then return "type(*), intent(in), optional", field.name .. "(..)" end
  return field.kind .. ", intent(in), optional", field.name .. field.dimensions
end

local function names_of(fields)
  local out = {}
  for i, field in ipairs(fields) do out[i] = field.name end
  return out
end

-- The words of a list, each behind a text.
local function each(words, start, stop)
  local out = {}
  for i, word in ipairs(words) do out[i] = start .. word .. (stop or "") end
  return out
end

-- Those of a procedure: lists joined.
local function joined(...)
  local out = {}
  for _, list in ipairs { ... } do table.move(list, 1, #list, #out + 1, out) end
  return out
end

-- Kinds and ranks of pointers, and of arrays that fields are gathered to, each once; a field's `pointer` is the number of its own.
-- whole: of arrays of the whole grid, whose last index is the tile where there are several.  points: some field has such a pointer.
local function pointer_views(fields, tiles)
  local views, number = {}, {}
  for _, field in ipairs(fields) do
    local text = field.gathered and field.gathered .. field.dimensions
    if text and not number[text] then
      views[#views + 1] = { kind = field.gathered, dimensions = field.dimensions, fields = {}, points = false,
        whole = tiles > 1 and field.dimensions:sub(1, -2) .. ",:)" or field.dimensions }
      number[text] = #views
    end
    local view = text and views[number[text]]
    if view then
      table.insert(view.fields, field.number)
      view.points = view.points or field.kind ~= false
    end
    field.pointer = field.kind and number[text]
  end
  return views
end

-- The procedures of an exchange: what stands behind its name, whether they take arrays and a stream, and what the glue calls them.
local function part_views(exchange)
  local stream = exchange.on_device
  local function part(ending, what, arrays, on_stream)
    return { ending = ending, constant = "hx_f_" .. what, enum = "HX_F_" .. what:upper(), arrays = arrays, stream = on_stream,
      fill = 0, axis = false, manual = {} }
  end
  local parts = { part("", "whole", true, stream), part("_start", "start", true, stream), part("_finish", "finish", true, stream) }
  if stream then
    table.move({ part("_pack", "pack", true, true), part("_send", "send", false, true), part("_receive", "receive", false, false),
      part("_unpack", "unpack", true, true) }, 1, 4, #parts + 1, parts)
  end
  local audit = part("_audit", "audit", true, false)
  audit.manual = { "Collective.  Compares ghost points with what their owners hold: status hx_err_mismatch names one that differs." }
  parts[#parts + 1] = audit
  for _, fill in ipairs(exchange.corners) do
    local view = part("_corners_" .. fill.axis, "corners", true, stream)
    view.fill, view.axis, view.manual = fill.index, fill.axis, fill.manual
    parts[#parts + 1] = view
  end
  return parts
end

-- What exchanges and cycles have of the fields that they carry.
local function arguments_of(carried)
  return { fields = carried, names = names_of(carried), arguments = declarations(carried, as_argument),
    pointers = declarations(carried, as_pointer) }
end

local function exchange_views(model, views, fields)
  local by_field, out = {}, {}
  for f, field in ipairs(model.fields) do by_field[field] = fields[f] end
  for e, exchange in ipairs(model.exchanges) do
    local carried = {}
    for i, item in ipairs(exchange.items) do carried[i] = by_field[item.field] end
    out[e] = {
      name = exchange.name,
      number = e,
      line = exchange.where.line,
      enum = views[e].enum,
      cycle = 0,
      on_device = views[e].on_device,
      manual = views[e].manual,
      corners = views[e].corners,
      parts = part_views(views[e]),
      carried = arguments_of(carried),
    }
  end
  return out
end

-- A cycle takes the arrays of its exchange: whole, start and finish.
local function cycle_views(views, plan, exchanges)
  local out = {}
  for c, view in ipairs(views) do
    local exchange = exchanges[plan.cycles[c].exchange]
    out[c] = { name = view.name, number = c, line = view.line, enum = view.index, cycle = 1, on_device = exchange.on_device, manual = view.manual,
      corners = {}, parts = table.move(exchange.parts, 1, 3, 1, {}), carried = exchange.carried, steps = view.steps }
  end
  return out
end

-- The names of procedures that programs call, in the order of the module.
local function publics_of(view, fields, calls)
  local ends = { "shape_dense", "shape_best", "shape_of", "points" }
  if view.list then
    table.move({ "part", "create" }, 1, 2, #ends + 1, ends)
  else
    table.move({ "partition", "create_blocks", view.tiles == 1 and "create" or nil }, 1, 3, #ends + 1, ends)
  end
  table.move({ "destroy", "alloc", "free", "alloc_blocks", "free_blocks", "describe", "describe_json", "stats", "traffic",
    "register", "unregister", "message_buffers", "redistribute" }, 1, 13, #ends + 1, ends)
  if not view.list then
    table.move({ "gather", "scatter", "gather_selected", "scatter_selected", "memory_type", "file_type", "file_passes", "rebalance", "create_like",
      "create_wide" }, 1, 10, #ends + 1, ends)
  end
  if view.uses.behind then ends[#ends + 1] = "plane" end
  if view.hooks then ends[#ends + 1] = "set_boundary" end
  if view.device_hooks then ends[#ends + 1] = "set_boundary_on" end
  for _, field in ipairs(view.hooks and fields or {}) do
    if field.kind and not field.behind then ends[#ends + 1] = "wall_" .. field.name end
  end
  for _, call in ipairs(calls) do
    for _, part in ipairs(call.parts) do
      ends[#ends + 1] = call.name .. part.ending
      if part.arrays then ends[#ends + 1] = call.name .. "_blocks" .. part.ending end
    end
    ends[#ends + 1] = call.name .. (call.steps and "_restart" or "_test")
    if not (call.steps or view.list) then
      for _, ending in ipairs { "_interior", "_rim" } do ends[#ends + 1] = call.name .. ending end
    end
    for _, step in ipairs(call.steps or {}) do ends[#ends + 1] = ("%s_%s_points"):format(call.name, step.name) end
  end
  return each(ends, view.name .. "_")
end

-- Adds to a view that emit.view has made.
function emit_fortran.add(view, plan)
  local model = plan.model
  local fields = field_views(model, view.axes)
  local cells = {}
  for _, axis in ipairs(view.axes) do
    if not axis.fixed then cells[#cells + 1] = axis.cells end
  end
  local on_host = {}
  for _, field in ipairs(fields) do
    if not field.on_device then on_host[#on_host + 1] = field end
  end
  local exchanges = exchange_views(model, view.exchanges, fields)
  local cycles = cycle_views(view.cycles, plan, exchanges)
  local calls = joined(exchanges, cycles)
  view.fortran = {
    publics = publics_of(view, fields, calls),
    shaped = declarations(on_host, as_optional),
    shaped_names = names_of(on_host),
    fields = fields,
    pointers = pointer_views(fields, view.tiles),
    exchanges = exchanges,
    cycles = cycles,
    calls = calls,
    cells = cells,
    wrapped = wrapped,
    joined = joined,
    each = each,
  }
end

return emit_fortran
