-- The model: what a spec says, with every default filled in, as plain tables.
--
--   { name =, file =, version = 1, hash = 16 digits, where =, params = nil or {…} (see params.lua),
--     grid = { kind =, axes = {names}, periodic = {…}, decomposed = {…}, cells = {number or false, …}, order =, where =,
--              first_fastest = true (the numbers of blocks rise along the first axis first) or nil,
--              … what else its front end gives },
--     fields = { { index =, name =, type =, ctype =, halo = { lo = {…}, hi = {…} }, at = {…}, order = {…}, padding = {…},
--                  components = { count =, after = axes that are faster in memory } or nil, directions = {{…} per component} or nil,
--                  behind = true where ghost points lie behind the owned ones, or nil, vector =, component =, struct = what the spec says of its type, where = }, … },
--     structs = { { name =, kind = "struct", size =, alignment =, header =, struct =, where =, node = }, … },
--     vectors = { { name =, kind = "vector", "pseudovector" or "unsigned", fields = {field per axis}, where = }, … },
--     exchanges = { { index =, name =, stencil =, operation =, keeps = true or nil, boundary = { lo = {…}, hi = {…} }, fills =,
--                     items = { { field =, lo = {…}, hi = {…}, where =, entry = key in the list, group = nil, or the node of
--                                 the table inside of the exchange that lists it }, … }, where = }, … },
--     cycles = nil, or what cycles.lua describes }
--
-- Axes are numbered as in grid.axes; order lists axes from the fastest in memory; where is a place (see locate.lua), and
-- node (of all but items) leads to what the spec wrote.  Fields are all that the spec made, in that order.
-- This module reports wrong kinds of values and returns nil then; check.lua looks at the sense.

local cycles = require "model.cycles"
local exchanges = require "model.exchanges"
local fields = require "model.fields"
local fixes = require "base.fixes"
local locate = require "base.locate"
local nodes = require "language.nodes"
local ordered = require "base.ordered"
local read = require "language.read"
local report = require "base.report"
local structs = require "model.structs"
local verbs = require "language.verbs"

local model = {}

-- ---- vectors and exchanges ----------------------------------------------------------------------------------------

-- Fields in the list of a node: { { field =, where =, entry = its key }, … }.  tables: whether tables may stand there; these are
-- { table =, entry = }.
local function listed_fields(node, by_node, tables)
  local out = {}
  for _, entry in ipairs(read.list(node)) do
    local other = nodes.of(entry.value)
    local field = other and by_node[other]
    if tables and nodes.is_table(entry.value) then
      out[#out + 1] = { table = entry.value, entry = entry.index }
    elseif field then
      out[#out + 1] = { field = field, where = read.value(node, entry.index), entry = entry.index }
    elseif not other or other.kind ~= "field" then
      report.error("HG1102", read.value(node, entry.index), ("entry %d of %s must be a field, not %s"):format(
        entry.index, read.title(node), nodes.describe(entry.value)),
        other and other.kind == "vector" and "list the components of the vector" or
        type(entry.value) == "string" and "write the variable that holds what field returned, without quotes"
          or "write the variable that holds what field returned")
    end
  end
  return out
end

-- The same for an exchange, where a table may stand for some fields with keys of their own: an entry from there has `group`, a node
-- with these keys.
local function listed_in_exchange(node, by_node)
  local out = {}
  for _, entry in ipairs(listed_fields(node, by_node, verbs.exchange.list.inner)) do
    if entry.table then
      local group = { kind = node.kind, name = node.name, title = "a table in " .. read.title(node), entries = entry.table, complete = true,
        site = locate.inside(node.site, entry.entry) }
      local known = read.entries(group, verbs.exchange.list.inner)
      local inside = known and listed_fields(group, by_node) or {}
      if known and #inside == 0 and #read.list(group) == 0 then
        report.error("HG1501", read.where(group), read.title(group) .. " has no fields",
          "list them in it, before its keys: { u, v, width = 1 }")
      end
      for _, field in ipairs(inside) do
        field.group = group
        out[#out + 1] = field
      end
    else
      out[#out + 1] = entry
    end
  end
  return out
end

local function read_vectors(list, by_node)
  local vectors = {}
  for _, node in ipairs(list) do
    local name = read.name(node)
    if name and read.entries(node, verbs.vector) then
      local vector = { name = name, kind = read.choice(node, "kind") or "vector", fields = {}, where = read.where(node), node = node }
      for axis, entry in ipairs(listed_fields(node, by_node)) do
        vector.fields[axis] = entry.field
        entry.field.vector, entry.field.component = vector, axis
      end
      vectors[#vectors + 1] = vector
    end
  end
  return vectors
end

local function read_exchanges(list, by_node)
  local all = {}
  for _, node in ipairs(list) do
    all[node] = exchanges.read(node, function() return listed_in_exchange(node, by_node) end)
  end
  return all
end

-- ---- the whole ----------------------------------------------------------------------------------------------------

-- The last `return` of the file, or its last word.
local function place_of_return(run)
  local tokens = locate.tokens(run.texts[run.file])
  local last = #tokens
  while last > 0 and tokens[last].text ~= "return" do last = last - 1 end
  local token = tokens[last > 0 and last or #tokens]
  return token and locate.word(tokens, run.file, token.line, token.text) or { file = run.file, line = 1 }
end

-- The node of the one spec that the file must return; after reporting that it does not, still the one that it made.
local function returned_spec(run, specs)
  if #specs > 1 then
    report.error("HG1602", read.where(specs[2]), "a second spec in one run", "put it into a file of its own", {
      { where = read.where(specs[1]), message = "the first is here" },
    })
    return nil
  end
  local node = nodes.of(run.values[1])
  if run.values.n == 1 and node and node.kind == "spec" then return node end
  local what = run.values.n == 0 and "nothing" or run.values.n > 1 and ("%d values"):format(run.values.n)
    or nodes.describe(run.values[1])
  local forgotten = run.values.n == 0 and specs[1]
  report.error("HG1007", forgotten and locate.verb(forgotten.site) or place_of_return(run),
    ("the file returns %s, and must return a spec"):format(what),
    forgotten and "write return before spec" or "end it with return " .. verbs.spec.example, nil,
    forgotten and fixes.returned(forgotten.site) or nil)
  return specs[1]
end

local function version_of(node)
  if node.entries.version == nil then return verbs.spec.at.version.default end
  local version = read.typed(node, "version")
  if version and version ~= 1 then
    report.error("HG1603", read.value(node, "version"), ("the spec is written in version %d of the language, and this "
      .. "halogen knows version 1"):format(version), version > 1 and "use a newer halogen" or "versions start at 1")
  end
  return version
end

-- The exchanges and the cycles that a spec lists.
local function read_spec(node, all_exchanges, all_cycles)
  local out, of_cycles, first = {}, {}, {}
  if not read.entries(node, verbs.spec) then return nil end
  for _, entry in ipairs(read.list(node)) do
    local other = nodes.of(entry.value)
    local listed = other and (all_exchanges[other] or all_cycles[other])
    if listed and listed.index then
      report.error("HG1604", read.value(node, entry.index), ("%s %s is in the spec twice"):format(other.kind,
        report.quote(listed.name)), "list it once", { { where = read.value(node, first[listed]),
          message = "the first time is here" } }, fixes.remove(node.site, entry.index))
    elseif listed then
      local list = other.kind == "cycle" and of_cycles or out
      list[#list + 1], first[listed] = listed, entry.index
      listed.index = #list
    elseif not other or other.kind ~= "exchange" and other.kind ~= "cycle" then
      report.error("HG1102", read.value(node, entry.index), ("entry %d of %s must be an exchange, not %s"):format(
        entry.index, read.title(node), nodes.describe(entry.value)), "write " .. verbs.exchange.example)
    end
  end
  return out, #of_cycles > 0 and of_cycles or nil
end

local function read_cycles(list, all_exchanges, all_fields)
  local all, by_name = {}, {}
  for _, field in ipairs(#list > 0 and all_fields or {}) do by_name[field.name] = field end
  for _, node in ipairs(list) do all[node] = cycles.read(node, all_exchanges, by_name) end
  return all
end

local function sort_by_kind(run)
  local of_kind = { grid = {}, struct = {}, field = {}, vector = {}, exchange = {}, step = {}, cycle = {}, spec = {} }
  for _, node in ipairs(run.nodes) do
    local list = of_kind[node.kind]
    list[#list + 1] = node
  end
  return of_kind
end

local function attach_sites(run)
  local tokens = {}
  for _, node in ipairs(run.nodes) do
    local file = node.call.file
    tokens[file] = tokens[file] or locate.tokens(run.texts[file])
    node.site = locate.site(tokens[file], node.call)
  end
end

local function read_grids(list)
  local grids = {}
  for _, node in ipairs(list) do
    local grid = node.front_end.read(node)
    if grid then
      grid.where, grid.node = read.where(node), node
      grids[node] = grid
    end
  end
  return grids
end

local silent = { where = true, node = true, file = true, hash = true, ctype = true, unlisted = true, forgotten = true,
  structs = true, fills = true, entry = true, group = true, line = true, text = true }

local function names_of(fields)
  local out = {}
  for i, field in ipairs(fields) do out[i] = field.name end
  return out
end

-- The model as data without places and references: names stand for fields.
function model.plain(m)
  local function plain(value, key)
    if type(value) ~= "table" then return value end
    if key == "field" or key == "vector" or key == "exchange" then return value.name end
    if key == "writes" then return names_of(value) end
    local out = {}
    for k, entry in ordered.pairs(value) do
      if not silent[k] and not (k == "grid" and key ~= nil) then out[k] = plain(entry, k) end
    end
    return out
  end
  return plain(m)
end

local function canonical(value)
  if type(value) ~= "table" then
    return math.type(value) == "integer" and ("%d"):format(value) or ("%q"):format(tostring(value))
  end
  local parts = {}
  for key, entry in ordered.pairs(value) do
    parts[#parts + 1] = tostring(key) .. "=" .. canonical(entry)
  end
  return "{" .. table.concat(parts, ",") .. "}"
end

-- Makes the model of an evaluated spec (see spec.lua), or nil after reporting.
function model.build(run)
  attach_sites(run)
  local of_kind = sort_by_kind(run)
  local spec_node = returned_spec(run, of_kind.spec)
  local grids = read_grids(of_kind.grid)
  local all_structs, type_of = structs.read(of_kind.struct)
  local all_fields, by_node = fields.read(of_kind.field, grids, type_of)
  local vectors = read_vectors(of_kind.vector, by_node)
  local all_exchanges = read_exchanges(of_kind.exchange, by_node)
  if not spec_node then return nil end
  local name = read.name(spec_node)
  local all_cycles = read_cycles(of_kind.cycle, all_exchanges, all_fields)
  local listed, listed_cycles = nil, nil
  if name then listed, listed_cycles = read_spec(spec_node, all_exchanges, all_cycles) end
  if not listed then return nil end
  local m = {
    name = name, file = run.file, version = version_of(spec_node), where = read.where(spec_node), node = spec_node,
    grid = all_fields[1] and all_fields[1].grid or grids[of_kind.grid[1]], fields = all_fields, vectors = vectors,
    structs = all_structs, exchanges = listed, cycles = listed_cycles, unlisted = {}, forgotten = {},
    params = #run.params > 0 and run.params or nil,
  }
  for _, node in ipairs(of_kind.exchange) do
    local exchange = all_exchanges[node]
    if exchange and not exchange.index then m.unlisted[#m.unlisted + 1] = exchange end
  end
  for _, node in ipairs(of_kind.cycle) do
    local cycle = all_cycles[node]
    if cycle and not cycle.index then m.forgotten[#m.forgotten + 1] = cycle end
  end
  return m
end

-- The hash of a model: of its sense, so that comments, blank lines and file names do not change it.
function model.hash(m)
  return host.hash(canonical(model.plain(m)))
end

return model
