-- The rules that a model must keep: what each value may be, and what must fit together.
--
-- A rule is a function of the model that reports every breach; all rules run.  Codes: HG12xx names, HG14xx fields,
-- HG15xx exchanges, HG16xx the spec as a whole, HG17xx warnings.  (HG10xx and HG11xx are about the language and kinds of
-- values, HG13xx about grids: spec.lua, read.lua, model.lua and the front ends.)

local emit = require "emit"
local corners = require "corners"
local exchanges = require "exchanges"
local fixes = require "fixes"
local geometry = require "geometry"
local kernels = require "kernels"
local names = require "names"
local plan = require "plan"
local read = require "read"
local report = require "report"
local shared = require "shared"

local check = {}

local quote = report.quote

-- The prover works through every extent of a tile up to twice the width and two more.
local deepest_halo = 64

-- ---- names --------------------------------------------------------------------------------------------------------

-- Everything that has a name: { kind =, name =, where = }.
local function named(m)
  local out = { { kind = "spec", name = m.name, where = m.where } }
  for _, list in ipairs { { "field", m.fields }, { "vector", m.vectors }, { "exchange", m.exchanges } } do
    for _, entry in ipairs(list[2]) do
      out[#out + 1] = { kind = list[1], name = entry.name, where = entry.where, fills = exchanges.names_of_corners(m.grid, entry) }
    end
  end
  return out
end

-- Returns whether all are identifiers, which is what other rules expect: they make longer names and patterns of them.
local function names_are_valid(m)
  local fine = true
  for _, entry in ipairs(named(m)) do
    local problem, help = names.problem(entry.kind, entry.name)
    if problem then
      report.error("HG1201", entry.where, ("%s cannot be the name of a%s %s: it %s"):format(quote(entry.name),
        entry.kind == "exchange" and "n" or "", entry.kind, problem), help)
    end
    fine = fine and names.is_identifier(entry.name)
  end
  return fine
end

-- The name of the spec is a type in emitted code, and nothing else there can have that name.
local function name_is_free_in_emitted_code(m)
  local taken = false
  local function take(list)
    for _, name in ipairs(list) do taken = taken or name == m.name end
  end
  for _, axis in ipairs(m.grid.axes) do take(names.of_axis(axis)) end
  take(names.of_loops())
  for _, field in ipairs(m.fields) do take { kernels.name_of_points(field) } end
  for _, name in ipairs(emit.templates(m)) do
    local text, message = host.template(name)
    taken = taken or names.stands_in(text or error(message, 0), m.name)
  end
  if taken and not names.problem("spec", m.name) then
    report.error("HG1205", m.where, ("%s cannot be the name of a spec: emitted code uses the word"):format(quote(m.name)),
      "take another name")
  end
end

-- Fields and exchanges become constants of the same enumeration in upper case, and functions with endings.
local function identifiers_are_distinct(m)
  local owners = {}
  local function claim(entry, identifiers)
    for _, identifier in ipairs(identifiers) do
      local owner = owners[identifier]
      if owner and owner.name == entry.name and owner.kind == entry.kind then
        report.error("HG1202", entry.where, ("a second %s %s"):format(entry.kind, quote(entry.name)),
          "give them different names", { { where = owner.where, message = "the first is here" } })
        return
      elseif owner then
        local title, other = entry.kind .. " " .. quote(entry.name), owner.kind .. " " .. quote(owner.name)
        if owner.kind == "spec" then
          report.error("HG1203", entry.where, ("%s would be %s in the emitted code, which every spec has"):format(title,
            identifier), "take another name")
        else
          report.error("HG1203", entry.where, ("%s and %s would both be %s in the emitted code"):format(title, other,
            identifier), "give one of them another name", { { where = owner.where, message = other .. " is here" } })
        end
        return
      end
    end
    for _, identifier in ipairs(identifiers) do owners[identifier] = entry end
  end
  for _, entry in ipairs(named(m)) do
    if entry.kind == "spec" then
      claim(entry, names.of_spec(m.name))
    elseif entry.kind == "field" then
      claim(entry, names.of_field(m.name, entry.name))
    elseif entry.kind == "exchange" then
      claim(entry, names.of_exchange(m.name, entry.name, entry.fills))
    elseif entry.kind == "vector" then
      claim(entry, { "vector_" .. entry.name })
    end
  end
end

local function identifiers_are_short(m)
  for _, entry in ipairs(named(m)) do
    local identifiers = entry.kind == "field" and names.of_field(m.name, entry.name)
      or entry.kind == "exchange" and names.of_exchange(m.name, entry.name, entry.fills)
      or entry.kind == "spec" and names.of_spec(m.name) or {}
    local longest = ""
    for _, identifier in ipairs(identifiers) do
      if #identifier > #longest then longest = identifier end
    end
    if #longest > names.longest then
      report.error("HG1204", entry.where, ("the emitted name %s would have %d characters"):format(longest, #longest),
        ("shorten the name of the spec or of the %s: the limit of C and Fortran is %d"):format(
          entry.kind == "spec" and "fields and exchanges" or entry.kind, names.longest))
    end
  end
end

-- The type of a field as the spec says it.
local function type_title(field)
  return field.ctype.said or field.type
end

-- The subject of a sentence about what a field's table says; fields made by one call share it, and get one report.
local function owner(field)
  return field.node.member and "these fields have" or ("field %s has"):format(quote(field.name))
end

-- ---- fields -------------------------------------------------------------------------------------------------------

local function fields_are_on_one_grid(m)
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

local function halos_are_in_range(m)
  for _, field in ipairs(m.fields) do
    for a, axis in ipairs(field.grid.axes) do
      for _, side in ipairs { "lo", "hi" } do
        local layers = field.halo[side][a]
        if layers < 0 or layers > deepest_halo then
          report.error("HG1403", read.value(field.node, "halo", axis, side), ("%s a halo of %d layers"):format(owner(field),
            layers), ("write 0 to %d; more is likely to be a slip"):format(deepest_halo))
        end
      end
    end
  end
end

-- A page, in elements of one byte.
local most_padding = 4096

local function paddings_are_in_range(m)
  for _, field in ipairs(m.fields) do
    for a, axis in ipairs(field.grid.axes) do
      local points = field.padding[a]
      if points < 0 or points > most_padding then
        report.error("HG1412", read.value(field.node, "padding", axis), ("%s a padding of %d points"):format(
          owner(field), points), ("write 0 to %d; strides can be larger at run time"):format(most_padding))
      end
    end
  end
end

local most_components = 1000

local function components_are_in_range(m)
  for _, field in ipairs(m.fields) do
    local count = field.components and field.components.count or 1
    if count < 1 or count > most_components then
      local where = type(field.node.entries.components) == "table" and read.value(field.node, "components", 1)
        or read.value(field.node, "components")
      report.error("HG1413", where, ("%s %d components"):format(owner(field), count),
        ("write 1 to %d, or divide the field into several"):format(most_components))
    end
  end
end

local function directions_are_steps(m)
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

local function directions_fit_components(m)
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

local largest_struct = 65536

-- The first word of emitted code that would stand in the way of a type of this name, in words, or nil.
local function owner_of_type_name(m, name)
  local function takes(identifiers)
    for _, identifier in ipairs(identifiers) do
      if identifier == name then return true end
    end
  end
  for _, field in ipairs(m.fields) do
    if kernels.name_of_points(field) == name then return "emitted code" end
    if field.name == name or takes(names.of_field(m.name, field.name)) then return "field " .. quote(field.name) end
  end
  for _, exchange in ipairs(m.exchanges) do
    if takes(names.of_exchange(m.name, exchange.name, exchanges.names_of_corners(m.grid, exchange))) then return "exchange " .. quote(exchange.name) end
  end
  if takes(names.of_spec(m.name)) then return "spec " .. quote(m.name) end
  for _, template in ipairs(emit.templates(m)) do
    local text, message = host.template(template)
    if names.is_word_of(text or error(message, 0), name) then return "emitted code" end
  end
end

local function structs_have_free_names(m)
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

local function structs_have_headers(m)
  for _, struct in ipairs(m.structs) do
    local header, where = struct.header, read.value(struct.node, "header")
    local problem = problem_of_header(header)
    if problem then
      report.error("HG1408", where, ("%s cannot be the name of a header: it %s"):format(quote(header), problem),
        "write a relative path of letters, digits and _ . + - / without quotes or brackets, as in \"particles.h\"")
    elseif header:gsub("^%./+", "") == m.name .. ".h" then
      report.error("HG1408", where, ("%s is the header that halogen writes"):format(quote(header)),
        "name the header that declares the struct, or give the spec another name")
    end
  end
end

local function structs_have_sizes(m)
  for _, struct in ipairs(m.structs) do
    local title, size, align = "struct " .. quote(struct.name), struct.size, struct.alignment
    if align < 1 or align > 16 or align & (align - 1) ~= 0 then
      report.error("HG1409", read.value(struct.node, "align"), ("%s has an alignment of %d bytes"):format(title,
        align), "write its _Alignof: 1, 2, 4, 8 or 16, which is what messages keep")
    elseif size < 1 or size > largest_struct then
      report.error("HG1409", read.value(struct.node, "size"), ("%s has %d bytes"):format(title, size),
        ("write its sizeof, 1 to %d"):format(largest_struct))
    elseif size % align ~= 0 then
      report.error("HG1409", read.value(struct.node, "size"), ("%s has %d bytes, aligned to %d"):format(title, size,
        align), "write its sizeof, which is a multiple of its _Alignof")
    end
  end
end

local function structs_are_described_alike(m)
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

local function vectors_fit_the_grid(m)
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
          type_title(vector.fields[1]), type_title(field)),
          "give them one type: where the grid turns, points move between components")
      elseif field.components then
        report.error("HG1414", vector.where, ("field %s is a component of vector %s and has components itself"):format(
          quote(field.name), quote(vector.name)), "make one field per component, without components",
          { { where = read.value(field.node, field.node.entries.components and "components" or "directions"),
            message = "they are here" } })
      elseif vector.kind ~= "unsigned" and not kernels.can_negate(field.ctype) then
        report.error("HG1411", vector.where, ("vector %s has components of type %s"):format(quote(vector.name),
          type_title(field)), "exchange the fields without a vector, or as one of kind = \"unsigned\": where the grid turns, others change their sign")
      end
    end
  end
end

local function exchanges_carry_whole_vectors(m)
  for _, exchange in ipairs(m.exchanges) do
    local carried = {}
    for _, item in ipairs(exchange.items) do carried[item.field] = true end
    for _, item in ipairs(exchange.items) do
      for _, other in ipairs(item.field.vector and item.field.vector.fields or {}) do
        if not carried[other] then
          report.error("HG1507", item.where, ("exchange %s carries %s without %s, and they are components of one vector")
            :format(quote(exchange.name), quote(item.field.name), quote(other.name)),
            "list all components: where the grid turns, one feeds the other")
        end
      end
    end
  end
end

-- ---- exchanges ----------------------------------------------------------------------------------------------------

local function exchanges_have_fields(m)
  for _, exchange in ipairs(m.exchanges) do
    if #exchange.items == 0 then
      report.error("HG1501", exchange.where, ("exchange %s has no fields"):format(quote(exchange.name)),
        "list them: exchange " .. quote(exchange.name) .. " { u, v }")
    end
    local first = {}
    for _, item in ipairs(exchange.items) do
      local earlier = first[item.field]
      if earlier then
        report.error("HG1502", item.where, ("field %s is in exchange %s twice"):format(quote(item.field.name),
          quote(exchange.name)), "list it once", { { where = earlier.where, message = "the first time is here" } },
          fixes.remove(exchange.node.site, item.entry))
      end
      first[item.field] = earlier or item
    end
  end
end

local side_names = { lo = "low", hi = "high" }

local function check_width(exchange, item, axis, a, side)
  local width, halo = item[side][a], item.field.halo[side][a]
  local where = read.value(exchange.node, "width", axis, side)
  if width < 0 then
    report.error("HG1503", where, ("exchange %s has a width of %d layers"):format(quote(exchange.name), width),
      "write 0 or more, up to the halo of the field")
  elseif width > halo then
    local name = quote(item.field.name)
    report.error("HG1504", where,
      ("exchange %s fills %d layer%s of field %s on the %s side of %s, where its halo has %d"):format(
        quote(exchange.name), width, width == 1 and "" or "s", name, side_names[side], axis, halo),
      "make the halo of the field deeper, or the width smaller; a width may differ per axis and side: "
      .. ("width = { %s = %d }"):format(axis, math.max(halo, 1)),
      { { where = read.value(item.field.node, "halo", axis, side), message = "the halo of " .. name } })
  else
    return true
  end
end

local function widths_are_within_halos(m)
  for _, exchange in ipairs(m.exchanges) do
    for _, item in ipairs(exchange.node.entries.width ~= nil and exchange.items or {}) do
      local fine = true
      for a, axis in ipairs(m.grid.axes) do
        for _, side in ipairs { "lo", "hi" } do
          fine = fine and check_width(exchange, item, axis, a, side)
        end
      end
    end
  end
end

-- What an item fills: directions of the stencil that its width reaches, whether one of them has a neighbor or a wall that is
-- filled, and the axes of its width.
local function reach_of(m, exchange, item)
  local reached, fed, wide = false, false, {}
  for a, axis in ipairs(m.grid.axes) do
    if item.lo[a] ~= 0 or item.hi[a] ~= 0 then wide[#wide + 1] = axis end
    fed = fed or item.lo[a] ~= 0 and exchange.boundary.lo[a] ~= "none" or item.hi[a] ~= 0 and exchange.boundary.hi[a] ~= "none"
  end
  for _, direction in ipairs(geometry.directions(#m.grid.axes)) do
    local reaches, neighbor = exchanges.in_stencil(exchange.stencil, direction), true
    for a, side in ipairs(direction) do
      reaches = reaches and not (side < 0 and item.lo[a] == 0 or side > 0 and item.hi[a] == 0)
      neighbor = neighbor and (side == 0 or m.grid.periodic[a] or m.grid.decomposed[a] or m.grid.kind ~= "cartesian")
    end
    reached, fed = reached or reaches, fed or reaches and neighbor
  end
  return reached, fed, wide
end

local function fields_are_filled(m)
  for _, exchange in ipairs(m.grid.is_list and {} or m.exchanges) do
    for _, item in ipairs(exchange.shared and {} or exchange.items) do
      local reached, fed, wide = reach_of(m, exchange, item)
      local title = ("exchange %s fills nothing of field %s"):format(quote(exchange.name), quote(item.field.name))
      if #wide == 0 then
        report.error("HG1505", item.where, title .. (exchange.node.entries.width == nil and ", which has no halo"
          or ": its width is 0 on all sides"), "give the field a halo, or leave it out of the exchange", {
            { where = item.field.where, message = "the field is here" } })
      elseif not reached then
        report.error("HG1505", item.where, title .. ": it has a width in no direction of the stencil",
          "list directions in which the field has a halo, or leave it out of the exchange", {
            { where = read.value(exchange.node, "stencil"), message = "the stencil is here" } })
      elseif not fed then
        report.error("HG1506", item.where, ("%s: its halo lies along %s, where the grid is neither periodic nor decomposed")
          :format(title, table.concat(wide, " and ")), "leave the field out, make the axis periodic or decomposed, or fill its "
            .. "walls with boundary", { { where = m.grid.where, message = "the grid is here" } })
      end
    end
  end
end

local function directions_are_reached(m)
  for _, exchange in ipairs(m.exchanges) do
    local listed = type(exchange.stencil) == "table" and #exchange.items > 0 and not exchange.shared
    for _, direction in ipairs(listed and exchange.stencil or {}) do
      local reached = false
      for _, item in ipairs(exchange.items) do
        local here = true
        for a, side in ipairs(direction) do here = here and not (side < 0 and item.lo[a] == 0 or side > 0 and item.hi[a] == 0) end
        reached = reached or here
      end
      if not reached then
        report.error("HG1517", read.value(exchange.node, "stencil"), ("no field of exchange %s has a width in direction { %s }")
          :format(quote(exchange.name), table.concat(direction, ", ")), "leave the direction out, or give a field a halo there")
      end
    end
  end
end

-- ---- lists of points ----------------------------------------------------------------------------------------------

-- Keys that say something about boxes and their sides, and the way out.
local of_boxes = {
  field = { { "halo", "leave it out: points of the halo are among those of each rank, wherever it likes" },
    { "directions", "leave it out: all components go with their point" } },
  exchange = { { "width", "leave it out: lists say which points travel" }, { "stencil", "leave it out: lists say which points travel" },
    { "boundary", "leave it out: what no list fills stays as it is" },
    { "corners", "leave it out: points of a list have none" },
    { "only", "leave it out: points of a list have no faces that several ranks own" } },
}

local function refuse_keys(kind, entry, code)
  for _, key in ipairs(of_boxes[kind]) do
    if entry.node.entries[key[1]] ~= nil then
      report.error(code, read.key(entry.node, key[1]), ("%s %s has %s, and its grid is an index list, which has no sides"):format(kind,
        quote(entry.name), key[1]), key[2])
    end
  end
end

local function lists_have_no_sides(m)
  if not m.grid.is_list then return end
  for _, field in ipairs(m.fields) do
    refuse_keys("field", field, "HG1420")
    if field.at[1] ~= "center" then
      report.error("HG1420", read.key(field.node, "at"), ("field %s lies at \"%s\" along %s, and points of an index list have no faces")
        :format(quote(field.name), field.at[1], m.grid.axes[1]), "write one spec for cells and one for edges, each with lists of its own")
    end
  end
  for _, vector in ipairs(m.vectors) do
    report.error("HG1421", vector.where, ("vector %s is on an index list, where nothing turns"):format(quote(vector.name)),
      "list its fields in the exchange, or make one field with components of them")
  end
  for _, exchange in ipairs(m.exchanges) do refuse_keys("exchange", exchange, "HG1520") end
end

-- ---- exchanges that add -------------------------------------------------------------------------------------------

local function additions_are_possible(m)
  for _, exchange in ipairs(m.exchanges) do
    local where = read.value(exchange.node, "op")
    local adds = exchange.operation == "add"
    for _, item in ipairs(adds and exchange.items or {}) do
      local field = item.field
      if not kernels.can_add(field.ctype) then
        report.error("HG1511", item.where, ("exchange %s adds, and field %s is %s, which cannot be added"):format(
          quote(exchange.name), quote(field.name), field.ctype.kind == "struct" and "a struct" or type_title(field)),
          "carry the field in an exchange that copies", { { where = field.where, message = "the field is here" } })
      end
    end
    if adds and exchange.fills then
      report.error("HG1513", read.value(exchange.node, "boundary"), ("exchange %s adds, and fills ghost points beyond walls")
        :format(quote(exchange.name)), "an exchange that adds sets its ghost points to zero: fill them in one that copies", {
          { where = where, message = "it adds, as said here" } })
    end
  end
end

-- ---- shared points ------------------------------------------------------------------------------------------------

local function shared_points_have_no_halo(m)
  for _, exchange in ipairs(m.exchanges) do
    for _, key in ipairs(exchange.shared and { "width", "stencil", "boundary", "corners" } or {}) do
      if exchange.node.entries[key] ~= nil then
        report.error("HG1526", read.key(exchange.node, key), ("exchange %s is of shared points, and %s is for a halo"):format(
          quote(exchange.name), key), "leave it out: fill the halo by another exchange", {
            { where = read.value(exchange.node, "only"), message = "they are asked for here" } },
          fixes.remove(exchange.node.site, key))
      end
    end
  end
end

local function shared_points_exist(m)
  for _, exchange in ipairs(m.exchanges) do
    for _, item in ipairs(exchange.shared and not m.grid.is_list and exchange.items or {}) do
      local field = item.field
      local title = ("exchange %s shares nothing of field %s"):format(quote(exchange.name), quote(field.name))
      local notes = { { where = field.where, message = "the field is here" } }
      if field.directions then
        report.error("HG1523", item.where, title .. ": its components belong to directions, and go nowhere on a face",
          "leave the field out", notes)
      elseif not geometry.on_faces(field) then
        report.error("HG1521", item.where, title .. ": blocks own no common point of it",
          'leave the field out, or place its points on all faces along an axis: at = { x = "both" }', notes)
      elseif m.grid.fold and field.at[m.grid.fold.axis] == "both" then
        report.error("HG1525", item.where, ("exchange %s is of shared points, and field %s has points on the fold"):format(
          quote(exchange.name), quote(field.name)), "leave the field out: exchanges that reach across the fold make points on it equal",
          notes)
      elseif not shared.meets(m.grid, field) then
        report.error("HG1521", item.where, title .. ': it lies at "both" along axes that are neither periodic nor decomposed',
          "leave the field out, or make an axis periodic or decomposed",
          { { where = m.grid.where, message = "the grid is here" } })
      end
    end
  end
end

local function means_are_possible(m)
  for _, exchange in ipairs(m.exchanges) do
    local where = read.value(exchange.node, "agree")
    for _, item in ipairs(exchange.shared == "mean" and exchange.items or {}) do
      if not kernels.has_mean(item.field.ctype) then
        report.error("HG1522", where, ("exchange %s takes means, and field %s is %s, which has none"):format(
          quote(exchange.name), quote(item.field.name), item.field.ctype.kind == "struct" and "a struct"
          or type_title(item.field)), 'let one of them win: agree = "greater" or "owner"',
          { { where = item.field.where, message = "the field is here" } })
      end
    end
    if exchange.shared == "mean" and exchange.operation == "add" then
      report.error("HG1524", read.value(exchange.node, "op"), ("exchange %s adds, and takes means"):format(quote(exchange.name)),
        'leave op out: where blocks share a point alike, a mean is its own transpose; or let one win, by agree = "owner"',
        { { where = where, message = "it takes means, as said here" } })
    end
  end
end

-- ---- corners ------------------------------------------------------------------------------------------------------

-- Has an item as many layers on all sides across two axes, and some?
local function is_square(item, p, q)
  local width = item.lo[p]
  return width > 0 and item.hi[p] == width and item.lo[q] == width and item.hi[q] == width
end

local function corners_are_square(m, exchange, open)
  local asked = {}
  for _, corner in ipairs(open) do
    local p, q = corners.axes_of(corner.direction)
    for _, item in ipairs(asked[p .. "," .. q] and {} or exchange.items) do
      if not is_square(item, p, q) then
        report.error("HG1528", item.where, ("exchange %s fills corners between %s and %s, where field %s has not the same width on "
          .. "all sides"):format(quote(exchange.name), m.grid.axes[p], m.grid.axes[q], quote(item.field.name)),
          "give both axes the same width, or carry the field in another exchange", { { where = read.value(exchange.node, "corners"),
            message = "the fills are here" } })
      end
    end
    asked[p .. "," .. q] = true
  end
end

local function corners_are_there(m)
  if m.grid.is_list then return end
  for _, exchange in ipairs(m.exchanges) do
    local where = read.value(exchange.node, "corners")
    for _, axis in ipairs(not exchange.shared and exchange.corners or {}) do
      local open = corners.open(m.grid, require(m.grid.kind).joins(m.grid), axis)
      if #open == 0 then
        report.error("HG1527", where, ("exchange %s fills corners along %s, and the grid has none without a neighbor there")
          :format(quote(exchange.name), m.grid.axes[axis]), "leave corners out: the exchange fills them, or there are walls", {
            { where = m.grid.where, message = "the grid is here" } })
      else
        corners_are_square(m, exchange, open)
      end
    end
    if exchange.operation == "add" and exchange.corners then
      report.error("HG1529", where, ("exchange %s adds, and fills corners"):format(quote(exchange.name)),
        "fill them after an exchange that copies", { { where = read.value(exchange.node, "op"), message = "it adds, as said here" } })
    end
  end
end

-- ---- walls --------------------------------------------------------------------------------------------------------

local function uses(exchange, fills)
  for _, side in ipairs { "lo", "hi" } do
    for _, word in ipairs(exchange.boundary[side]) do
      if fills[word] then return word end
    end
  end
end

local function fills_suit_fields(m)
  for _, exchange in ipairs(m.exchanges) do
    local where = read.value(exchange.node, "boundary")
    for _, item in ipairs(exchange.fills and exchange.items or {}) do
      local field = item.field
      local notes = { { where = field.where, message = "the field is here" } }
      if uses(exchange, { antimirror = true }) and not kernels.can_negate(field.ctype) then
        report.error("HG1514", where, ("antimirror takes the opposite of field %s, and its type %s has none"):format(
          quote(field.name), type_title(field)), "fill it in an exchange of its own, by mirror or otherwise", notes)
      end
      local word = field.directions and uses(exchange, { mirror = true, antimirror = true })
      if word then
        report.error("HG1515", where, ("%s is not for field %s, which has directions: its components would change places"):format(
          word, quote(field.name)), "fill it by a hook", notes)
      end
    end
    local listed = m.grid.kind == "tiles" and type(exchange.stencil) == "table"
    if exchange.fills and not m.grid.is_list and (listed or m.grid.kind ~= "cartesian" and m.grid.kind ~= "tiles") then
      report.error("HG1516", where, ("exchange %s fills ghost points beyond walls%s"):format(quote(exchange.name),
        listed and " of connected tiles, and lists its directions" or ", and the grid is neither Cartesian nor made of tiles"),
        listed and 'take the stencil "box" or "star": then it is known which sides are walls' or "fill them in the application")
    end
  end
end

-- Has a field of the exchange ghost points on a side of an axis?
local function has_layers(exchange, a, side)
  for _, item in ipairs(exchange.items) do
    if item[side][a] > 0 then return true end
  end
  return false
end

local function refuse_fill(exchange, where, text)
  report.error("HG1518", where, ("exchange %s has no ghost point %s"):format(quote(exchange.name), text),
    "leave it out, or give a field a halo there, and the exchange the width")
end

-- What boundary says of one axis by its name: a word, or one for each side.
local function axis_fills_reach_walls(exchange, a, axis, said)
  local node = exchange.node
  if type(said) == "string" then
    if said ~= "none" and not has_layers(exchange, a, "lo") and not has_layers(exchange, a, "hi") then
      refuse_fill(exchange, read.key(node, "boundary", axis), ("beyond the walls across %s"):format(axis))
    end
    return
  end
  for _, side in ipairs { "lo", "hi" } do
    if exchange.boundary[side][a] ~= "none" and not has_layers(exchange, a, side) then
      refuse_fill(exchange, read.key(node, "boundary", axis, side), ("beyond the %s wall across %s"):format(
        side_names[side], axis))
    end
  end
end

-- One word is for the walls that there are, and one is enough.
local function fills_reach_walls(m)
  for _, exchange in ipairs(m.grid.is_list and {} or m.exchanges) do
    local said, any = exchange.node.entries.boundary, false
    for a, axis in ipairs(exchange.fills and m.grid.axes or {}) do
      any = any or not m.grid.periodic[a] and (has_layers(exchange, a, "lo") or has_layers(exchange, a, "hi"))
      if type(said) == "table" and said[axis] ~= nil then axis_fills_reach_walls(exchange, a, axis, said[axis]) end
    end
    if exchange.fills and type(said) == "string" and not any then
      refuse_fill(exchange, read.value(exchange.node, "boundary"), "beyond a wall")
    end
  end
end

-- Is there a ghost box with neighbors into which a component of the item travels?  What fills walls, too, may have none.
local function something_travels(m, exchange, item)
  for _, direction in ipairs(geometry.directions(#m.grid.axes)) do
    local reached = plan.claims_direction(exchange, item, direction)
    for a, side in ipairs(direction) do
      reached = reached and (side == 0 or m.grid.periodic[a] or m.grid.decomposed[a] or exchange.fills)
    end
    if reached then return true end
  end
  return false
end

local function components_travel(m)
  for _, exchange in ipairs(m.grid.is_list and {} or m.exchanges) do
    for _, item in ipairs(exchange.items) do
      local field = item.field
      if field.directions and exchange.stencil and not exchange.shared and not something_travels(m, exchange, item) then
        report.error("HG1418", item.where, ("exchange %s brings nothing of field %s: no component travels where its stencil "
          .. "and width reach"):format(quote(exchange.name), quote(field.name)), "look at the field's directions, or leave it out",
          { { where = read.value(field.node, "directions"), message = "its directions" } })
      end
    end
  end
end

-- ---- the whole ----------------------------------------------------------------------------------------------------

local function there_are_exchanges(m)
  if #m.exchanges == 0 then
    report.error("HG1601", m.where, ("spec %s has no exchanges"):format(quote(m.name)),
      'list them: spec "name" { exchange "pressure" { p } }')
  end
end

local function nothing_is_forgotten(m)
  if #m.exchanges == 0 then return end
  local used = {}
  for _, exchange in ipairs(m.exchanges) do
    for _, item in ipairs(exchange.items) do used[item.field] = true end
  end
  for _, exchange in ipairs(m.unlisted) do
    report.warning("HG1702", exchange.where, ("exchange %s is not in the spec"):format(quote(exchange.name)),
      "list it in spec, or remove it")
    for _, item in ipairs(exchange.items) do used[item.field] = true end
  end
  for _, field in ipairs(m.fields) do
    if not used[field] then
      report.warning("HG1701", field.where, ("field %s is in no exchange"):format(quote(field.name)),
        "list it in one, or remove it; emitted code says how it lies in memory all the same")
    end
  end
end

-- The check program wraps around periodic axes and crosses sides, and knows no other way to a neighbor.
local function check_programs_are_possible(m)
  if host.options.emit.check and m.grid.kind ~= "cartesian" and m.grid.kind ~= "tiles" then
    report.error("HG1606", m.grid.where, ("there is no check program for %s"):format(
      m.grid.is_list and "an index list" or "a grid that is folded"), "emit c alone")
  end
  for _, exchange in ipairs(host.options.emit.check and m.exchanges or {}) do
    if exchange.shared then
      report.error("HG1607", exchange.where, ("there is no check program for exchange %s, which is of shared points"):format(
        quote(exchange.name)), "emit c alone")
    end
  end
end

local rules = {
  name_is_free_in_emitted_code,
  identifiers_are_distinct,
  identifiers_are_short,
  there_are_exchanges,
  fields_are_on_one_grid,
  halos_are_in_range,
  paddings_are_in_range,
  components_are_in_range,
  directions_are_steps,
  directions_fit_components,
  structs_have_free_names,
  structs_have_headers,
  structs_have_sizes,
  structs_are_described_alike,
  vectors_fit_the_grid,
  exchanges_have_fields,
  exchanges_carry_whole_vectors,
  widths_are_within_halos,
  fields_are_filled,
  directions_are_reached,
  lists_have_no_sides,
  additions_are_possible,
  corners_are_there,
  shared_points_have_no_halo,
  shared_points_exist,
  means_are_possible,
  fills_suit_fields,
  fills_reach_walls,
  components_travel,
  check_programs_are_possible,
  nothing_is_forgotten,
}

-- Reports every breach of a rule; report.flush tells whether there was one.
function check.run(m)
  if not names_are_valid(m) then return end
  for _, rule in ipairs(rules) do rule(m) end
end

return check
