-- Rules of names: what a spec may call things, so that emitted code compiles and links.  See check.lua.

local cxx_names = require "model.cxx_names"
local exchanges = require "model.exchanges"
local memory = require "model.memory"
local names = require "model.names"
local outputs = require "model.outputs"
local python_names = require "model.python_names"
local report = require "base.report"

local check_names = {}

local quote = report.quote

-- Everything that has a name: { kind =, name =, where =, on_device = whether emitted code has more names for it, then, … }.
local function named(m)
  local out = { { kind = "spec", name = m.name, where = m.where, on_device = memory.any_on_device(m) } }
  for _, list in ipairs { { "field", m.fields }, { "vector", m.vectors }, { "exchange", m.exchanges } } do
    for _, entry in ipairs(list[2]) do
      out[#out + 1] = { kind = list[1], name = entry.name, where = entry.where, fills = exchanges.names_of_corners(m.grid, entry),
        on_device = list[1] == "exchange" and memory.carries_device(entry) }
    end
  end
  for _, cycle in ipairs(m.cycles or {}) do
    out[#out + 1] = { kind = "cycle", name = cycle.name, where = cycle.where, steps = {} }
    local steps = out[#out].steps
    for s, step in ipairs(cycle.steps) do
      steps[s] = step.name
      out[#out + 1] = { kind = "step", name = step.name, where = step.where, cycle = cycle }
    end
  end
  return out
end

-- Returns whether all are identifiers, which is what other rules expect: they make longer names and patterns of them.
function check_names.names_are_valid(m)
  local fine = true
  for _, entry in ipairs(named(m)) do
    local problem, help = names.problem(entry.kind, entry.name)
    local ending = entry.kind == "spec" and outputs.ending_in(entry.name)
    if not problem and ending then
      problem, help = ("ends with %s, as files of other specs do"):format(ending), "take another name"
    end
    if problem then
      report.error("HG1201", entry.where, ("%s cannot be the name of a%s %s: it %s"):format(quote(entry.name),
        entry.kind == "exchange" and "n" or "", entry.kind, problem), help)
    end
    fine = fine and names.is_identifier(entry.name)
  end
  return fine
end

-- The name of the spec is a type in emitted code, and nothing else there can have that name.
function check_names.name_is_free_in_emitted_code(m)
  local taken = false
  local function take(list)
    for _, name in ipairs(list) do taken = taken or name == m.name end
  end
  for _, axis in ipairs(m.grid.axes) do take(names.of_axis(axis)) end
  take(names.of_loops())
  for _, field in ipairs(m.fields) do take { names.of_points(field) } end
  for _, text in ipairs(outputs.texts(m)) do
    taken = taken or names.stands_in(text, m.name)
  end
  if taken and not names.problem("spec", m.name) then
    report.error("HG1205", m.where, ("%s cannot be the name of a spec: emitted code uses the word"):format(quote(m.name)),
      "take another name")
  end
end

-- The identifiers that emitted code makes for an entry of named().
local function identifiers_of(m, entry)
  if entry.kind == "spec" then
    local out = names.of_spec(m.name, m.grid.axes, entry.on_device, memory.any_behind(m.fields))
    for _, param in ipairs(m.params or {}) do out[#out + 1] = names.constant_of_param(m.name, param.name) end
    if host.options.emit.python then
      for _, name in ipairs(python_names.of_spec(m.name)) do out[#out + 1] = name end
    end
    return out
  end
  if entry.kind == "field" then return names.of_field(m.name, entry.name) end
  if entry.kind == "exchange" then return names.of_exchange(m.name, entry.name, entry.fills, entry.on_device) end
  if entry.kind == "cycle" then return names.of_cycle(m.name, entry.name, entry.steps) end
  return {}
end

-- Fields and exchanges become constants of the same enumeration in upper case, and functions with endings.
function check_names.identifiers_are_distinct(m)
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
    claim(entry, entry.kind == "vector" and { "vector_" .. entry.name }
      or entry.kind == "step" and { ("step_%s of %s"):format(entry.name, entry.cycle.name) } or identifiers_of(m, entry))
  end
end

-- The library of C has names of several parts, too: spec "timer" would emit timer_create.
function check_names.identifiers_are_free(m)
  for _, entry in ipairs(named(m)) do
    for _, identifier in ipairs(identifiers_of(m, entry)) do
      local owner = identifier ~= entry.name and names.declared_by_c(identifier)
      if owner then
        report.error("HG1206", entry.where, ("%s %s would be %s in the emitted code, which is %s"):format(entry.kind,
          quote(entry.name), identifier, owner), "take another name for the spec" .. (entry.kind == "spec" and ""
          or ", or for the " .. entry.kind))
      end
    end
  end
end

function check_names.identifiers_are_short(m)
  for _, entry in ipairs(named(m)) do
    local longest = ""
    for _, identifier in ipairs(identifiers_of(m, entry)) do
      if #identifier > #longest then longest = identifier end
    end
    if #longest > names.longest then
      report.error("HG1204", entry.where, ("the emitted name %s would have %d characters"):format(longest, #longest),
        ("shorten the name of the spec or of the %s: the limit of C and Fortran is %d"):format(
          entry.kind == "spec" and "fields and exchanges" or entry.kind, names.longest))
    end
  end
end

-- Languages have words of their own, which only matter where they are asked for.
local function names_suit(m, language, title, code, problem_of)
  if not host.options.emit[language] then return end
  for _, entry in ipairs(named(m)) do
    local problem = problem_of(entry.kind, entry.name)
    if problem then
      report.error(code, entry.where, ("%s cannot be the name of a%s %s for %s: it %s"):format(quote(entry.name),
        entry.kind == "exchange" and "n" or "", entry.kind, title, problem),
        ("take another name, or leave %s out of --emit"):format(language))
    end
  end
end

function check_names.names_suit_cxx(m) names_suit(m, "cxx", "C++", "HG1209", cxx_names.problem) end

function check_names.names_suit_python(m) names_suit(m, "python", "Python", "HG1208", python_names.problem) end

return check_names
