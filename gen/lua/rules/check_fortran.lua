-- Rules of names that hold where Fortran is asked for.  See check.lua.

local exchanges = require "model.exchanges"
local fortran_names = require "model.fortran_names"
local memory = require "model.memory"
local names = require "model.names"
local outputs = require "model.outputs"
local report = require "base.report"

local check_fortran = {}

local quote = report.quote

local function article(kind)
  return kind == "exchange" and "an exchange" or "a " .. kind
end

-- Everything that has a name in the module, with the names that come of it.
local function named(m)
  local out = { { kind = "spec", name = m.name, where = m.where, identifiers = fortran_names.of_spec(m.name, m.grid.axes, #m.fields) } }
  for _, field in ipairs(m.fields) do
    out[#out + 1] = { kind = "field", name = field.name, where = field.where, identifiers = fortran_names.of_field(m.name, field.name) }
  end
  for _, exchange in ipairs(m.exchanges) do
    out[#out + 1] = { kind = "exchange", name = exchange.name, where = exchange.where,
      identifiers = fortran_names.of_exchange(m.name, exchange.name, exchanges.names_of_corners(m.grid, exchange),
        memory.carries_device(exchange)) }
  end
  for _, cycle in ipairs(m.cycles or {}) do
    local steps = {}
    for s, step in ipairs(cycle.steps) do steps[s] = step.name end
    out[#out + 1] = { kind = "cycle", name = cycle.name, where = cycle.where, identifiers = fortran_names.of_cycle(m.name, cycle.name, steps) }
  end
  return out
end

local function names_are_free(m, entries)
  for _, entry in ipairs(entries) do
    local problem = fortran_names.problem(entry.kind, entry.name)
    if problem then
      report.error("HG1207", entry.where, ("%s cannot be the name of %s for Fortran: it %s"):format(quote(entry.name),
        article(entry.kind), problem), "take another name, or leave fortran out of --emit")
    end
  end
  for _, text in ipairs(outputs.texts(m)) do
    if m.name ~= m.name:lower() and names.stands_in(text, m.name:lower()) then
      report.error("HG1207", m.where, ("%s cannot be the name of a spec for Fortran: its module uses the word"):format(quote(m.name)),
        "take another name, or leave fortran out of --emit")
      return
    end
  end
end

local function names_are_distinct(entries)
  local owners = {}
  for _, entry in ipairs(entries) do
    local other
    for _, identifier in ipairs(entry.identifiers) do
      if owners[identifier] and owners[identifier] ~= entry then other = other or { owners[identifier], identifier } end
    end
    if other and other[1].kind == "spec" then
      report.error("HG1207", entry.where, ("%s %s would be %s in the Fortran module, which every spec has"):format(entry.kind,
        quote(entry.name), other[2]), "give it another name, or leave fortran out of --emit")
    elseif other then
      report.error("HG1207", entry.where, ("%s %s and %s %s would both be %s in the Fortran module"):format(entry.kind,
        quote(entry.name), other[1].kind, quote(other[1].name), other[2]), "give one of them another name",
        { { where = other[1].where, message = ("%s %s is here"):format(other[1].kind, quote(other[1].name)) } })
    end
    for _, identifier in ipairs(entry.identifiers) do owners[identifier] = owners[identifier] or entry end
  end
end

local function names_are_short(entries)
  for _, entry in ipairs(entries) do
    local longest = ""
    for _, identifier in ipairs(entry.identifiers) do
      if #identifier > #longest then longest = identifier end
    end
    if #longest > names.longest then
      report.error("HG1207", entry.where, ("the name %s in the Fortran module would have %d characters"):format(longest, #longest),
        ("shorten the name of the spec or of the %s: Fortran allows %d"):format(entry.kind, names.longest))
    end
  end
end

function check_fortran.names_suit_fortran(m)
  if not host.options.emit.fortran then return end
  local entries = named(m)
  names_are_free(m, entries)
  names_are_distinct(entries)
  names_are_short(entries)
end

return check_fortran
