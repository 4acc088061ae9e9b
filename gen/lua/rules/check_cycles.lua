-- Rules of cycles and their steps: what they are made of.  Whether a halo is deep enough for them is a matter of the proof
-- (prove_cycles.lua).  See check.lua.

local read = require "language.read"
local report = require "base.report"
local verbs = require "language.verbs"

local check_cycles = {}

local quote = report.quote

-- For each cycle of a model; for each step of these.
local function cycles_of(m)
  return ipairs(m.cycles or {})
end

local function each_step(m, rule)
  for _, cycle in cycles_of(m) do
    for _, step in ipairs(cycle.steps) do rule(cycle, step) end
  end
end

function check_cycles.cycles_have_steps(m)
  for _, cycle in cycles_of(m) do
    if #cycle.steps == 0 then
      report.error("HG1802", cycle.where, ("cycle %s has no steps"):format(quote(cycle.name)),
        "list them: " .. verbs.step.example)
    end
  end
end

function check_cycles.exchanges_serve_cycles(m)
  for _, cycle in cycles_of(m) do
    local exchange, where = cycle.exchange, read.value(cycle.node, "exchange")
    if not exchange.index then
      report.error("HG1803", where, ("cycle %s needs exchange %s, which is not in the spec"):format(quote(cycle.name),
        quote(exchange.name)), "list it in spec, too", { { where = exchange.where, message = "the exchange is here" } })
    elseif exchange.operation ~= "copy" or exchange.shared then
      report.error("HG1804", where, ("cycle %s needs an exchange that copies a halo, and %s %s"):format(quote(cycle.name),
        quote(exchange.name), exchange.shared and "makes shared points agree" or "sends ghost points back"),
        "give it one that copies, and start the other one yourself", { { where = exchange.where, message = "the exchange is here" } })
    end
  end
end

function check_cycles.steps_write_fields(m)
  each_step(m, function(_, step)
    local seen = {}
    for i, field in ipairs(step.writes) do
      if seen[field] then
        report.error("HG1806", read.value(step.node, "writes", i), ("step %s writes field %s twice"):format(quote(step.name),
          quote(field.name)), "list it once")
      end
      seen[field] = true
    end
    if #step.writes == 0 and step.node.entries.writes ~= nil then
      report.error("HG1806", read.key(step.node, "writes"), ("step %s writes no field"):format(quote(step.name)),
        'list the fields that it computes: writes = { "u" }')
    end
  end)
end

function check_cycles.reaches_are_in_range(m)
  local key = verbs.step.at.reads
  each_step(m, function(_, step)
    for _, entry in ipairs(step.reads) do
      for a, axis in ipairs(m.grid.axes) do
        local lo, hi = entry.lo[a], entry.hi[a]
        local wrong = (lo < key.least or lo > key.most) and lo or (hi < key.least or hi > key.most) and hi
        if wrong then
          report.error("HG1805", entry.where, ("step %s reads field %s %d points away along %s"):format(quote(step.name),
            quote(entry.field.name), wrong, axis), ("write %d to %d"):format(key.least, key.most))
          break
        end
      end
    end
  end)
end

function check_cycles.lists_have_no_cycles(m)
  for _, cycle in cycles_of(m) do
    if m.grid.is_list then
      report.error("HG1807", cycle.where, ("cycle %s is on an index list, where no point has others around it"):format(
        quote(cycle.name)), "leave it out, and start the exchange in each step")
    end
  end
end

return check_cycles
