-- Rules of fields: their halos, padding and components, types that a spec describes, vectors.  See check.lua.

local ctypes = require "model.ctypes"
local exchanges = require "model.exchanges"
local memory = require "model.memory"
local names = require "model.names"
local outputs = require "model.outputs"
local read = require "language.read"
local report = require "base.report"
local verbs = require "language.verbs"

local check_fields = {}

local quote = report.quote

-- The subject of a sentence about what a field's table says; fields made by one call share it, and get one report.
local function owner(field)
  return field.node.member and "these fields have" or ("field %s has"):format(quote(field.name))
end

-- ---- fields -------------------------------------------------------------------------------------------------------

function check_fields.fields_are_on_one_grid(m)
  for _, field in ipairs(m.fields) do
    if field.grid ~= m.grid then
      report.error("HG1402", read.value(field.node, "on"), ("field %s is on another grid than field %s"):format(
        quote(field.name), quote(m.fields[1].name)), "write one spec for each grid", {
        { where = m.grid.where, message = "the grid of the first field" },
        { where = field.grid.where, message = "the other grid" },
      })
    end
  end
end

function check_fields.halos_are_in_range(m)
  local key = verbs.field.at.halo
  for _, field in ipairs(m.fields) do
    for a, axis in ipairs(field.grid.axes) do
      for _, side in ipairs { "lo", "hi" } do
        local layers = field.halo[side][a]
        if layers < key.least or layers > key.most then
          report.error("HG1403", read.value(field.node, "halo", axis, side), ("%s a halo of %d layers"):format(owner(field),
            layers), ("write 0 to %d; more is likely to be a slip"):format(key.most))
        end
      end
    end
  end
end

-- Why a field cannot have its halo behind its owned points, and the way out; nil if it can.
local function problem_of_planes(m, field)
  if m.grid.kind ~= "cartesian" then
    return "the grid is not Cartesian", 'leave halo_at out: what meets other tiles has its halo around it'
  elseif memory.on_device(field) then
    return "they lie in the memory of a device", "leave halo_at out, or the field in the memory of the host"
  elseif memory.apart(field) then
    return "its components lie apart", "let components lie side by side, or make one field of each"
  end
end

function check_fields.planes_are_possible(m)
  for _, field in ipairs(m.grid.is_list and {} or m.fields) do
    local problem, help = nil, nil
    if field.behind then problem, help = problem_of_planes(m, field) end
    if problem then
      report.error("HG1424", read.value(field.node, "halo_at"), ("%s ghost points behind the owned ones, and %s"):format(
        owner(field), problem), help)
    end
  end
end

function check_fields.paddings_are_in_range(m)
  local key = verbs.field.at.padding
  for _, field in ipairs(m.fields) do
    for a, axis in ipairs(field.grid.axes) do
      local points = field.padding[a]
      if points < key.least or points > key.most then
        report.error("HG1412", read.value(field.node, "padding", axis), ("%s a padding of %d points"):format(
          owner(field), points), ("write 0 to %d; strides can be larger at run time"):format(key.most))
      end
    end
  end
end

function check_fields.components_are_in_range(m)
  local key = verbs.field.at.components
  for _, field in ipairs(m.fields) do
    local count = field.components and field.components.count or 1
    if count < key.least or count > key.most then
      local where = type(field.node.entries.components) == "table" and read.value(field.node, "components", 1)
        or read.value(field.node, "components")
      report.error("HG1413", where, ("%s %d components"):format(owner(field), count),
        ("write 1 to %d, or divide the field into several"):format(key.most))
    end
  end
end

function check_fields.directions_are_steps(m)
  for _, field in ipairs(m.fields) do
    for c, direction in ipairs(field.directions or {}) do
      for a, step in ipairs(direction) do
        if step < -1 or step > 1 then
          report.error("HG1415", read.value(field.node, "directions", c, a), ("direction %d goes %d cells along %s"):format(
            c, step, m.grid.axes[a]), "write -1, 0 or 1; exchange a field with longer steps whole")
        end
      end
    end
  end
end

function check_fields.directions_fit_components(m)
  for _, field in ipairs(m.fields) do
    if field.directions and field.components and field.components.count ~= #field.directions then
      report.error("HG1416", read.value(field.node, "directions"), ("%s %d components and %d directions"):format(
        owner(field), field.components.count, #field.directions), "give one direction per component",
        { { where = read.value(field.node, "components"), message = "the components" } })
    elseif field.directions and not m.grid.is_list and m.grid.kind ~= "cartesian" then
      report.error("HG1417", read.value(field.node, "directions"), ("field %s has directions, and the grid turns"):format(
        quote(field.name)), "exchange the whole field: components would have to change places")
    end
  end
end

-- ---- structs ------------------------------------------------------------------------------------------------------

-- The first word of emitted code that would stand in the way of a type of this name, in words, or nil.
local function owner_of_type_name(m, name)
  local function takes(identifiers)
    for _, identifier in ipairs(identifiers) do
      if identifier == name then return true end
    end
  end
  for _, field in ipairs(m.fields) do
    if names.of_points(field) == name then return "emitted code" end
    if field.name == name or takes(names.of_field(m.name, field.name)) then return "field " .. quote(field.name) end
  end
  for _, exchange in ipairs(m.exchanges) do
    if takes(names.of_exchange(m.name, exchange.name, exchanges.names_of_corners(m.grid, exchange), memory.carries_device(exchange))) then return "exchange " .. quote(exchange.name) end
  end
  for _, cycle in ipairs(m.cycles or {}) do
    local steps = {}
    for s, step in ipairs(cycle.steps) do steps[s] = step.name end
    if takes(names.of_cycle(m.name, cycle.name, steps)) then return "cycle " .. quote(cycle.name) end
  end
  if takes(names.of_spec(m.name, m.grid.axes, memory.any_on_device(m), memory.any_behind(m.fields))) then return "spec " .. quote(m.name) end
  for _, text in ipairs(outputs.texts(m)) do
    if names.is_word_of(text, name) then return "emitted code" end
  end
end

function check_fields.structs_have_free_names(m)
  for _, struct in ipairs(m.structs) do
    local problem, help = names.problem_of_type(struct.name)
    local owner = not problem and owner_of_type_name(m, struct.name)
    if owner then
      problem, help = "is a word that " .. owner .. " uses", "make a typedef of another name"
    end
    if problem then
      report.error("HG1407", struct.where, ("%s cannot be the name of a struct: it %s"):format(quote(struct.name),
        problem), help)
    end
  end
end

-- Longer ones are no names of files on any system.
local longest_header = 255

-- Why a header cannot have this name, or nil.
local function problem_of_header(name)
  if name == "" then return "is empty" end
  if name:find("^/") then return "is an absolute path" end
  if name:find("[^%w_.+/-]") then return "has a character that is no letter, digit or one of _ . + - /" end
  if not name:find("^[%w_.]") then return "starts with " .. name:sub(1, 1) end
  if name:find("//", 1, true) then return "has // in it" end
  if name:find("/$") then return "ends with /" end
  if name:find("^%.%.?$") or name:find("/%.%.?$") then return "is a directory" end
  if #name > longest_header then return ("has %d characters; write at most %d"):format(#name, longest_header) end
end

-- The path without steps that lead nowhere: "./a.h" and "b/../a.h" are "a.h".
local function resolved(path)
  local parts = {}
  for part in path:gmatch("[^/]+") do
    if part == ".." and #parts > 0 and parts[#parts] ~= ".." then
      parts[#parts] = nil
    elseif part ~= "." then
      parts[#parts + 1] = part
    end
  end
  return table.concat(parts, "/")
end

function check_fields.structs_have_headers(m)
  for _, struct in ipairs(m.structs) do
    local header, where = struct.header, read.value(struct.node, "header")
    local problem = problem_of_header(header)
    if problem then
      report.error("HG1408", where, ("%s cannot be the name of a header: it %s"):format(quote(header), problem),
        "write a relative path of letters, digits and _ . + - / without quotes or brackets, as in \"particles.h\"")
    elseif resolved(header) == m.name .. ".h" then
      report.error("HG1408", where, ("%s is the header that halogen writes"):format(quote(header)),
        "name the header that declares the struct, or give the spec another name")
    end
  end
end

function check_fields.structs_have_sizes(m)
  local key = verbs.struct.at.size
  for _, struct in ipairs(m.structs) do
    local title, size, align = "struct " .. quote(struct.name), struct.size, struct.alignment
    if align < 1 or align > 16 or align & (align - 1) ~= 0 then
      report.error("HG1409", read.value(struct.node, "align"), ("%s has an alignment of %d bytes"):format(title,
        align), "write its _Alignof: 1, 2, 4, 8 or 16, which is what messages keep")
    elseif size < key.least or size > key.most then
      report.error("HG1409", read.value(struct.node, "size"), ("%s has %d bytes"):format(title, size),
        ("write its sizeof, 1 to %d"):format(key.most))
    elseif size % align ~= 0 then
      report.error("HG1409", read.value(struct.node, "size"), ("%s has %d bytes, aligned to %d"):format(title, size,
        align), "write its sizeof, which is a multiple of its _Alignof")
    end
  end
end

function check_fields.structs_are_described_alike(m)
  local first = {}
  for _, struct in ipairs(m.structs) do
    local earlier = first[struct.name] or struct
    first[struct.name] = earlier
    for _, key in ipairs { "header", "size", "align" } do
      local here, there = struct.struct[key], earlier.struct[key]
      if here ~= there then
        local said = { here, there }
        for i, value in ipairs(said) do said[i] = type(value) == "string" and quote(value) or value end
        report.error("HG1410", read.value(struct.node, key), ("struct %s has %s %s here and %s before"):format(
          quote(struct.name), key, said[1], said[2]), "describe it once, and use what struct returned for all such fields", {
          { where = read.value(earlier.node, key), message = "the first time is here" } })
      end
    end
  end
end

-- ---- vectors ------------------------------------------------------------------------------------------------------

function check_fields.vectors_fit_the_grid(m)
  for _, vector in ipairs(m.vectors) do
    local axes = #m.grid.axes
    if #vector.fields < 1 or #vector.fields > axes then
      report.error("HG1404", vector.where, ("vector %s has %d components on a grid of %d axes"):format(
        quote(vector.name), #vector.fields, axes), "list one field per axis, in the order of the axes")
    end
    for axis, field in ipairs(vector.fields) do
      if field.vector ~= vector or field.component ~= axis then
        report.error("HG1405", vector.where, ("field %s is a component more than once"):format(quote(field.name)),
          "list a field in one vector, once")
      elseif field.type ~= vector.fields[1].type then
        report.error("HG1406", vector.where, ("components of vector %s are %s and %s"):format(quote(vector.name),
          ctypes.title(vector.fields[1]), ctypes.title(field)),
          "give them one type: where the grid turns, points move between components")
      elseif field.components then
        report.error("HG1414", vector.where, ("field %s is a component of vector %s and has components itself"):format(
          quote(field.name), quote(vector.name)), "make one field per component, without components",
          { { where = read.value(field.node, field.node.entries.components and "components" or "directions"),
            message = "they are here" } })
      elseif vector.kind ~= "unsigned" and not ctypes.can_negate(field.ctype) then
        report.error("HG1411", vector.where, ("vector %s has components of type %s"):format(quote(vector.name),
          ctypes.title(field)), "exchange the fields without a vector, or as one of kind = \"unsigned\": where the grid turns, others change their sign")
      end
    end
  end
end

return check_fields
