-- Writes models down: as specs, and as tables of C for the test's oracle (world.h), which owe halogen nothing.

local model = require "model"
local types = require "types"

local write = {}

local function quoted(text)
  return ('"%s"'):format(text)
end

local function list(values, f)
  local words = {}
  for i, value in ipairs(values) do words[i] = f and f(value, i) or tostring(value) end
  return table.concat(words, ", ")
end

-- ---- specs ----------------------------------------------------------------------------------------------------------

-- Axes for which a function says yes, or all, in an order: "xz", or { "lon", "lev" }.
local function axes_text(m, order, wanted)
  local names, long = {}, false
  for _, a in ipairs(order) do
    if not wanted or wanted(m.axes[a]) then
      names[#names + 1] = m.axes[a].name
      long = long or #m.axes[a].name > 1
    end
  end
  if long then return ("{ %s }"):format(list(names, quoted)) end
  return quoted(table.concat(names))
end

local function natural(m)
  local order = {}
  for a = 1, #m.axes do order[a] = a end
  return order
end

-- Layers: a number if they are equal everywhere, else by axis, and by side where sides differ.
local function layers_text(m, layers)
  local entries, all = {}, layers.lo[1]
  for a, axis in ipairs(m.axes) do
    local lo, hi = layers.lo[a], layers.hi[a]
    if lo ~= all or hi ~= all then all = nil end
    entries[a] = lo == hi and ("%s = %d"):format(axis.name, lo)
      or ("%s = { lo = %d, hi = %d }"):format(axis.name, lo, hi)
  end
  return all and tostring(all) or ("{ %s }"):format(table.concat(entries, ", "))
end

local function by_axis_text(m, values, f)
  return ("{ %s }"):format(list(values, function(value, a) return m.axes[a].name .. " = " .. f(value) end))
end

local function vectors_text(vectors)
  return ("{ %s }"):format(list(vectors, function(v) return ("{ %s }"):format(list(v)) end))
end

local side_signs = { lo = "-", hi = "+" }

-- An entry of `connect`: axes that run along another one, or backwards, are named.
local function connection_text(m, c)
  local beyond = m.grid.sides[c[1]][c[2]][c[3]]
  local along = {}
  for b, axis in ipairs(m.axes) do
    if b ~= c[2] and (beyond.to[b] ~= b or beyond.sign[b] < 0) then
      along[#along + 1] = ('%s = "%s%s"'):format(axis.name, beyond.sign[b] < 0 and "-" or "", m.axes[beyond.to[b]].name)
    end
  end
  return ('{ "t%d", "%s%s", "t%d", "%s%s"%s }'):format(c[1], side_signs[c[3]], m.axes[c[2]].name, c[4], side_signs[c[6]],
    m.axes[c[5]].name, #along > 0 and (", along = { %s }"):format(table.concat(along, ", ")) or "")
end

-- The verb of a grid that is not Cartesian, and what it says besides.
local function connected_text(m)
  local grid, names = m.grid, {}
  for t = 1, grid.tiles do names[t] = "t" .. t end
  if grid.kind == "tiles" then
    return { ("names = { %s }"):format(list(names, quoted)),
      ("connect = { %s }"):format(list(grid.list, function(c) return "\n    " .. connection_text(m, c) end)) }
  elseif grid.kind == "cubed_sphere" then
    return { "horizontal = " .. axes_text(m, grid.horizontal) }
  end
  local along, across = m.axes[grid.along].name, m.axes[grid.across].name
  local function word(inset) return inset == 1 and "center" or "face" end
  return { ('side = "%s%s"'):format(side_signs[grid.side], across), ("along = %q"):format(along),
    ("pivot = { %s = %q, %s = %q }"):format(along, word(grid.pivot), across, word(grid.inset)) }
end

local function grid_text(m)
  local entries = { "axes = " .. axes_text(m, natural(m)), "order = " .. axes_text(m, m.order) }
  local function some(key, wanted)
    local any, all = false, true
    for _, axis in ipairs(m.axes) do
      any, all = any or wanted(axis), all and wanted(axis)
    end
    return any, all, ("%s = %s"):format(key, axes_text(m, natural(m), wanted))
  end
  local any, all, text = some("periodic", function(axis) return axis.periodic end)
  if any and not m.grid then entries[#entries + 1] = text end
  any, all, text = some("decomposed", function(axis) return axis.decomposed end)
  if not all or m.grid then entries[#entries + 1] = any and text or "decomposed = {}" end
  if m.first_fastest then entries[#entries + 1] = 'blocks = "first-fastest"' end
  local cells = {}
  for _, axis in ipairs(m.axes) do
    if axis.cells then cells[#cells + 1] = ("%s = %d"):format(axis.name, axis.cells) end
  end
  if #cells > 0 then entries[#entries + 1] = ("cells = { %s }"):format(table.concat(cells, ", ")) end
  for _, entry in ipairs(m.grid and connected_text(m) or {}) do entries[#entries + 1] = entry end
  return ("local grid = %s { %s }"):format(m.grid and m.grid.kind or "cartesian", table.concat(entries, ", "))
end

local function type_text(type)
  if not type.struct then return quoted(type.spec) end
  local s = type.struct
  return ("struct { name = %q, header = %q, size = %d, align = %d }"):format(s.name, s.header, s.size, s.align)
end

local function components_text(m, field)
  local order = field.order or m.order
  if field.place == 0 then return tostring(field.components) end
  if field.place == #order then return ('{ %d, "outermost" }'):format(field.components) end
  return ("{ %d, after = %q }"):format(field.components, m.axes[order[field.place]].name)
end

local function field_text(m, field)
  local entries = { "on = grid", "type = " .. type_text(types[field.type]), "halo = " .. layers_text(m, field.halo) }
  local function add(key, text) entries[#entries + 1] = key .. " = " .. text end
  if field.order then add("order", axes_text(m, field.order)) end
  if field.at then add("at", by_axis_text(m, field.at, quoted)) end
  if field.directions then add("directions", vectors_text(field.directions)) end
  if field.components and not (field.directions and field.place == 0) then
    add("components", components_text(m, field))
  end
  if field.padding then add("padding", by_axis_text(m, field.padding, tostring)) end
  if field.behind then add("halo_at", quoted("behind")) end
  if model.language.device then add("memory", '"cuda"') end
  return ("local %s = field %q { %s }"):format(field.name, field.name, table.concat(entries, ", "))
end

-- One word if all walls say the same.
local function fills_text(m, fills)
  local word, first = nil, true
  for a, axis in ipairs(m.axes) do
    for _, side in ipairs(axis.periodic and {} or { "lo", "hi" }) do
      if first then word, first = fills[a][side], false end
      if fills[a][side] ~= word then word = nil end
    end
  end
  if word then return quoted(word) end
  local entries = {}
  for a, axis in ipairs(m.axes) do
    local lo, hi = fills[a].lo, fills[a].hi
    if not axis.periodic then
      entries[#entries + 1] = lo == hi and ("%s = %q"):format(axis.name, lo)
        or ("%s = { lo = %q, hi = %q }"):format(axis.name, lo, hi)
    end
  end
  return ("{ %s }"):format(table.concat(entries, ", "))
end

-- A field of an exchange, in a table where it has keys of its own.
local function listed_text(m, exchange, number)
  local name = m.fields[number].name
  local width = exchange.widths and exchange.widths[name]
  local wire = model.wire_of(m, exchange, number)
  if not width and not wire then return name end
  return ("{ %s%s%s }"):format(name, width and ", width = " .. layers_text(m, width) or "", wire and (", wire = %q"):format(wire) or "")
end

local function exchange_text(m, exchange)
  local entries = { list(exchange.fields, function(number) return listed_text(m, exchange, number) end) }
  local function add(key, text) entries[#entries + 1] = key .. " = " .. text end
  if exchange.width then add("width", layers_text(m, exchange.width)) end
  if type(exchange.stencil) == "table" then
    add("stencil", vectors_text(exchange.stencil))
  elseif exchange.stencil ~= "box" then
    add("stencil", quoted(exchange.stencil))
  end
  if exchange.add then add("op", quoted(exchange.extreme or "add")) end
  local rounds = false
  for _, number in ipairs(exchange.fields) do rounds = rounds or exchange.add and model.wire_of(m, exchange, number) end
  if rounds then add("sums", '"rounded"') end
  if exchange.keeps and not exchange.extreme then add("ghosts", '"keep"') end
  if exchange.agree then add("only", '"shared"') end
  if exchange.agree then add("agree", quoted(exchange.agree)) end
  if exchange.fills then add("boundary", fills_text(m, exchange.fills)) end
  return ("  exchange %q { %s },"):format(exchange.name, table.concat(entries, ", "))
end

function write.spec(m)
  local lines = { ("-- Random spec %d of seed %d."):format(m.number, m.seed), grid_text(m) }
  for _, field in ipairs(m.fields) do lines[#lines + 1] = field_text(m, field) end
  for _, vector in ipairs(m.vectors) do
    lines[#lines + 1] = ("local %s = vector %q { %s%s }"):format(vector.name, vector.name,
      list(vector.fields, function(number) return m.fields[number].name end),
      vector.kind and (", kind = %q"):format(vector.kind) or "")
  end
  lines[#lines + 1] = ("return spec %q {"):format(m.name)
  for _, exchange in ipairs(m.exchanges) do lines[#lines + 1] = exchange_text(m, exchange) end
  lines[#lines + 1] = "}"
  return table.concat(lines, "\n") .. "\n"
end

-- ---- tables of C ----------------------------------------------------------------------------------------------------

local function braces(values, f)
  return ("{%s}"):format(list(values, f))
end

local function number(value)
  return tostring(value and (value == true and 1 or value) or 0)
end

local function less_one(value)
  return tostring(value - 1)
end

-- The numbers of the components of a field's vector, axis after axis.
local function sisters_text(m, field)
  local sisters = {}
  for a = 1, 4 do sisters[a] = field.vector and m.vectors[field.vector].fields[a] or 0 end
  return braces(sisters, less_one)
end

local turns = { vector = "VECTOR_ARROW", pseudovector = "VECTOR_PSEUDO", unsigned = "VECTOR_UNSIGNED" }

local function field_table(m, field)
  local type = types[field.type]
  local entries = {
    (".name = %q"):format(field.name), ".kind = " .. type.kind,
    (".size = sizeof(%s)"):format(type.c or type.spec),
    (".order = %s"):format(braces(field.order or m.order, less_one)),
    (".halo = {%s, %s}"):format(braces(field.halo.lo), braces(field.halo.hi)),
    (".pointer = offsetof(%s_fields, %s)"):format(m.name, field.name),
    (".normal = %d"):format((field.normal or 0) - 1),
    (".sister = %s"):format(sisters_text(m, field)),
    (".components = %d"):format(field.components or 1),
    (".place = %d"):format(field.place or 0),
  }
  local function add(...) entries[#entries + 1] = string.format(...) end
  if types[field.type].signed then add(".has_sign = %s", types[field.type].signed) end
  if field.at then add(".at = %s", braces(field.at, function(at) return "AT_" .. at:upper() end)) end
  if field.vector then add(".turns = %s", turns[m.vectors[field.vector].kind or "vector"]) end
  if field.padding then add(".padding = %s", braces(field.padding)) end
  if field.behind then add(".behind = 1") end
  if field.wire then add(".wire = WIRE_%s", field.wire:upper()) end
  if field.directions then add(".directions = %d", #field.directions) end
  if field.directions then add(".direction = {%s}", list(field.directions, function(e) return braces(e) end)) end
  return ("    {%s},"):format(table.concat(entries, ", "))
end

local function exchange_table(m, exchange)
  local widths = {}
  for i, n in ipairs(exchange.fields) do
    local width = model.width(m, exchange, n)
    widths[i] = ("{%s, %s}"):format(braces(width.lo), braces(width.hi))
  end
  local stencil = type(exchange.stencil) == "table" and "LIST" or exchange.stencil:upper()
  local entries = {
    (".name = %q"):format(exchange.name), (".fields = %d"):format(#exchange.fields),
    (".field = %s"):format(braces(exchange.fields, less_one)), (".width = {%s}"):format(table.concat(widths, ", ")),
    ".stencil = STENCIL_" .. stencil, ".add = " .. number(exchange.add),
    ".transpose = " .. number((exchange.transpose or 0) - 1),
  }
  local function add(...) entries[#entries + 1] = string.format(...) end
  if exchange.keeps then add(".keeps = 1") end
  if exchange.rounds then add(".rounds = 1") end
  if exchange.extreme then add(".extreme = %d", exchange.extreme == "min" and -1 or 1) end
  if exchange.agree then add(".agree = AGREE_%s", exchange.agree:upper()) end
  if stencil == "LIST" then
    add(".directions = %d", #exchange.stencil)
    add(".direction = {%s}", list(exchange.stencil, function(d) return braces(d) end))
  end
  if exchange.fills then
    add(".fill = {%s}", list(exchange.fills, function(sides)
      return ("{FILL_%s, FILL_%s}"):format(sides.lo:upper(), sides.hi:upper())
    end))
  end
  return ("    {%s},"):format(table.concat(entries, ", "))
end

-- Whether an exchange has ghost points beyond a wall that the application fills.
local function calls_hook(m, exchange)
  for _, n in ipairs(exchange.fills and exchange.fields or {}) do
    local width = model.width(m, exchange, n)
    for a, sides in ipairs(exchange.fills) do
      if sides.lo == "hook" and width.lo[a] > 0 or sides.hi == "hook" and width.hi[a] > 0 then return true end
    end
  end
  return false
end

local function has_hook(m)
  for _, exchange in ipairs(m.exchanges) do
    if calls_hook(m, exchange) then return true end
  end
  return false
end

local function has_apart(m)
  for _, field in ipairs(m.fields) do
    if field.components and field.place > 0 then return true end
  end
  return false
end

-- Functions of one signature around the emitted ones.
local glue = [[
static hx_status NAME_make(const hx_blocks *blocks, const void *shapes, const hx_options *options, void **handle)
{
    NAME *made = NULL;
    const hx_status status = NAME_create_blocks(blocks, shapes, options, &made);
    *handle = made;
    return status;
}

static hx_status NAME_widen(void *narrow, MPI_Comm comm, const hx_options *options, void **handle)
{
    NAME *made = NULL;
    const hx_status status = NAME_create_wide(narrow, comm, options, &made);
    *handle = made;
    return status;
}

static hx_status NAME_end(void *handle)
{
    return NAME_destroy(handle);
}

static const char *NAME_tell(void *handle)
{
    return NAME_describe(handle);
}

static void NAME_dense(const hx_part *part, void *shape)
{
    *(NAME_shape *)shape = NAME_shape_dense(part);
}

static size_t NAME_size(const void *shape, int field)
{
    return NAME_points(shape, field);
}

static hx_status NAME_begin(void *handle, int exchange, const void *fields)
{
    switch (exchange) {
STARTS    default:
        return HX_ERR_ARGUMENT;
    }
}

static hx_status NAME_complete(void *handle, int exchange)
{
    switch (exchange) {
FINISHES    default:
        return HX_ERR_ARGUMENT;
    }
}

static ptrdiff_t NAME_find(const void *shape, int field, const int at[], int component)
{
    (void)component;
    switch (field) {
PLACES    default:
        return -1;
    }
}
]]

local function case(value, expression)
  return ("    case %s:\n        return %s;\n"):format(value, expression)
end

-- For memory of a device that the host can write, too.
local device_hook = [[

static hx_wall_fn *NAME_writer;

static void NAME_write(void *context, const hx_wall *wall, hx_stream stream)
{
    (void)stream;
    NAME_writer(context, wall);
}

static hx_status NAME_hook(void *handle, hx_wall_fn *write, void *context)
{
    NAME_writer = write;
    return NAME_set_boundary_on(handle, NAME_write, context);
}
]]

local function glue_text(m)
  local upper = m.name:upper()
  local starts, finishes, places, at = {}, {}, {}, {}
  for a = 1, #m.axes do at[a] = ("at[%d]"):format(a - 1) end
  local stream = model.language.device and ", NULL" or ""
  for x, exchange in ipairs(m.exchanges) do
    local value = upper .. "_" .. exchange.name:upper()
    starts[x] = case(value, ("%s_%s_start(handle, fields%s)"):format(m.name, exchange.name, stream))
    finishes[x] = case(value, ("%s_%s_finish(handle%s)"):format(m.name, exchange.name, stream))
  end
  for f, field in ipairs(m.fields) do
    places[f] = case(upper .. "_" .. field.name:upper(), ("%s_%s_at(shape, %s%s)"):format(m.name, field.name,
      table.concat(at, ", "), field.components and ", component" or ""))
  end
  local parts = { NAME = m.name, STARTS = table.concat(starts), FINISHES = table.concat(finishes),
    PLACES = table.concat(places) }
  local text = glue:gsub("%u%u%u%u+", parts)
  if not has_hook(m) then return text end
  if model.language.device then return text .. device_hook:gsub("NAME", m.name) end
  return text .. ([[

static hx_status NAME_hook(void *handle, hx_wall_fn *write, void *context)
{
    return NAME_set_boundary(handle, write, context);
}
]]):gsub("NAME", m.name)
end

local function side_table(side)
  if not side then return "{.tile = -1}" end
  return ("{%d, %s, %s}"):format(side.tile - 1, braces(side.to, less_one), braces(side.sign))
end

-- The tables of a grid that is not Cartesian, and what the spec's table says of them.
local function grid_tables(m)
  local grid = m.grid
  if not grid then return "", ".tiles = 1," end
  if grid.kind == "fold" then
    return ("static const random_fold %s_fold = {%d, %d, %d, %d, %d};"):format(m.name, grid.across - 1,
      grid.side == "hi" and 1 or 0, grid.along - 1, grid.pivot, grid.inset), (".tiles = 1, .fold = &%s_fold,"):format(m.name)
  end
  local tiles = list(grid.sides, function(axes)
    return "\n    " .. braces(axes, function(sides) return ("{%s, %s}"):format(side_table(sides.lo), side_table(sides.hi)) end)
  end)
  return ("static const random_side %s_side[][AXES][2] = {%s};"):format(m.name, tiles),
    (".tiles = %d, .side = %s_side,"):format(grid.tiles, m.name)
end

local function spec_table(m)
  local name = m.name
  local function axes(key) return braces(m.axes, function(axis) return number(axis[key]) end) end
  local lines = { glue_text(m) }
  local function add(...) lines[#lines + 1] = string.format(...) end
  add("static const random_field %s_field[] = {", name)
  for _, field in ipairs(m.fields) do lines[#lines + 1] = field_table(m, field) end
  add("};")
  add("static const random_exchange %s_exchange[] = {", name)
  for _, exchange in ipairs(m.exchanges) do lines[#lines + 1] = exchange_table(m, exchange) end
  add("};")
  local tables, tiles = grid_tables(m)
  add("%s", tables)
  add("static const random_spec %s_table = {", name)
  add("    %s", tiles)
  add('    .name = "%s", .seed = %dLL, .number = %d, .axes = %d,', name, m.seed, m.number, #m.axes)
  add("    .periodic = %s, .decomposed = %s, .cells = %s,", axes "periodic", axes "decomposed", axes "cells")
  if m.first_fastest then add("    .first_fastest = 1,") end
  add("    .fields = %d, .field = %s_field, .exchanges = %d, .exchange = %s_exchange,", #m.fields, name, #m.exchanges, name)
  add("    .shape_size = sizeof(%s_shape), .stride = offsetof(%s_shape, stride), .fields_size = sizeof(%s_fields),", name,
    name, name)
  if has_apart(m) then add("    .apart = offsetof(%s_shape, apart),", name) end
  if has_hook(m) then add("    .hook = %s_hook,", name) end
  add("    .make = %s_make, .widen = %s_widen, .end = %s_end, .tell = %s_tell, .dense = %s_dense, .size = %s_size,", name, name, name,
    name, name, name)
  add("    .begin = %s_begin, .complete = %s_complete, .find = %s_find,", name, name, name)
  add("};\n")
  return table.concat(lines, "\n")
end

-- The table of a program's specs.
function write.tables(models)
  local lines = { "/* The specs of one program, as the oracle knows them; written by generate.lua. */" }
  local function add(text) lines[#lines + 1] = text end
  for _, m in ipairs(models) do add(('#include "%s.h"'):format(m.name)) end
  add '#include "random_types.h"\n#include "world.h"\n'
  for _, m in ipairs(models) do add(spec_table(m)) end
  add(("const random_spec *const random_specs[] = %s;"):format(braces(models, function(m) return "&" .. m.name .. "_table" end)))
  add "const int random_specs_count = (int)(sizeof random_specs / sizeof *random_specs);"
  return table.concat(lines, "\n") .. "\n"
end

-- What halogen makes of the specs, for a test that calls neither hx_create nor an emitted function; and one file of C for the
-- device code of each.
function write.devices(models)
  local lines = { "/* The specs of one program, and their device kernels; written by generate.lua. */" }
  local function add(...) lines[#lines + 1] = string.format(...) end
  add "#include <hx/abi.h>\n#include <hx/cuda.h>\n"
  for _, m in ipairs(models) do add("extern const hx_spec %s_spec;\nextern const hx_cuda_kernels %s_cuda;", m.name, m.name) end
  add("const hx_spec *const device_specs[] = %s;", braces(models, function(m) return "&" .. m.name .. "_spec" end))
  add("const hx_cuda_kernels *const device_kernels[] = %s;", braces(models, function(m) return "&" .. m.name .. "_cuda" end))
  return table.concat(lines, "\n") .. "\n"
end

function write.device(m)
  return ('/* Device code as C; written by generate.lua. */\n#include "shim.h"\n\n#include "%s.cu"\n'):format(m.name)
end

-- ---- models as text -------------------------------------------------------------------------------------------------

-- A Lua expression.
function write.model(value)
  if type(value) ~= "table" then return type(value) == "string" and quoted(value) or tostring(value) end
  local entries, keys = {}, {}
  for i, entry in ipairs(value) do entries[i] = write.model(entry) end
  for key in pairs(value) do
    if type(key) == "string" then keys[#keys + 1] = key end
  end
  table.sort(keys)
  for _, key in ipairs(keys) do entries[#entries + 1] = key .. " = " .. write.model(value[key]) end
  return ("{ %s }"):format(table.concat(entries, ", "))
end

return write
