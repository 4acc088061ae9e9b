-- The verbs cycle and step: from the tables that a spec gave to the cycles of the model.
--
--   { name =, exchange = the model's, steps = { { name =, reads = { { field =, lo = {…}, hi = {…}, where = }, … }, writes = {fields},
--     stencil = "box" or "star", where =, node = }, … }, where =, node = }
--
-- reads are in the order of the fields; lo and hi count points below and above the index of the point that is computed.

local nodes = require "language.nodes"
local ordered = require "base.ordered"
local read = require "language.read"
local report = require "base.report"
local verbs = require "language.verbs"

local cycles = {}

local quote = report.quote

-- ---- steps --------------------------------------------------------------------------------------------------------

local function unknown_field(where, name, by_name)
  report.unknown("HG1801", where, ("there is no field %s"):format(quote(name)), name, (ordered.keys(by_name)))
end

local function read_reads(node, by_name)
  local reads, value = {}, node.entries.reads
  if value == nil or not read.typed(node, "reads", "write reads = { u = 1 }") then return reads end
  for _, name in ipairs((ordered.keys(value))) do
    local field = by_name[name]
    if field then
      local reach = read.layers_at(node, { "reads", name }, value[name], field.grid.axes)
      if reach then
        reads[#reads + 1] = { field = field, lo = reach.lo, hi = reach.hi, where = read.key(node, "reads", name) }
      end
    else
      unknown_field(read.key(node, "reads", name), tostring(name), by_name)
    end
  end
  return ordered.sort(reads, function(a, b) return a.field.index < b.field.index end)
end

local function read_writes(node, by_name)
  local fields, help = {}, 'write the names of fields: writes = { "u" }'
  if node.entries.writes == nil then
    read.missing(node, "writes", ("%s writes no field"):format(read.title(node)), help)
    return fields
  end
  for i, key in ipairs(read.typed(node, "writes", help) and ordered.keys(node.entries.writes) or {}) do
    local name = node.entries.writes[key]
    if key ~= i or type(name) ~= "string" then
      read.wrong_kind(node, { "writes", key }, "the name of a field", name, help)
    elseif by_name[name] then
      fields[#fields + 1] = by_name[name]
    else
      unknown_field(read.value(node, "writes", i), name, by_name)
    end
  end
  return fields
end

local function read_step(node, by_name)
  local name = read.name(node)
  if not name or not read.entries(node, verbs.step) then return nil end
  return { name = name, reads = read_reads(node, by_name), writes = read_writes(node, by_name), stencil = read.choice(node, "stencil"),
    where = read.where(node), node = node }
end

-- ---- cycles -------------------------------------------------------------------------------------------------------

local function exchange_of(node, all_exchanges)
  if node.entries.exchange == nil then
    read.missing(node, "exchange", ("%s has no exchange"):format(read.title(node)), "write exchange = state, a variable that holds "
      .. "what exchange returned")
    return nil
  end
  local value = read.typed(node, "exchange", "write the variable that holds what exchange returned")
  return value and all_exchanges[nodes.of(value)]
end

-- The cycle of a node; nil after reporting.  all_exchanges: by node; by_name: fields.
function cycles.read(node, all_exchanges, by_name)
  local name = read.name(node)
  if not name or not read.entries(node, verbs.cycle) then return nil end
  local steps = {}
  for _, entry in ipairs(read.list(node)) do
    local other = nodes.of(entry.value)
    if other and other.kind == "step" then
      steps[#steps + 1] = read_step(other, by_name)
    else
      report.error("HG1102", read.value(node, entry.index), ("entry %d of %s must be a step, not %s"):format(entry.index,
        read.title(node), nodes.describe(entry.value)), "write " .. verbs.step.example)
    end
  end
  local exchange = exchange_of(node, all_exchanges)
  return exchange and { name = name, exchange = exchange, steps = steps, where = read.where(node), node = node }
end

return cycles
