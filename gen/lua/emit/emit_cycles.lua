-- What the views of emit.lua have for cycles: tables of layers, and what the header says of steps.

local initializers = require "emit.initializers"
local sums = require "emit.sums"

local emit_cycles = {}

local braces = initializers.braces

local function row_of(layers)
  return braces { braces(layers.lo), braces(layers.hi) }
end

-- ---- words --------------------------------------------------------------------------------------------------------

-- "2" where all sides agree, "2:1" (below:above) where all axes do, "(2:1, 0, 3)" by axis where not.
local function layers_text(layers)
  local words, same = {}, true
  for a in ipairs(layers.lo) do
    local lo, hi = layers.lo[a], layers.hi[a]
    words[a] = lo == hi and tostring(lo) or ("%d:%d"):format(lo, hi)
    same = same and words[a] == words[1]
  end
  return same and words[1] or ("(%s)"):format(table.concat(words, ", "))
end

-- "reads u 1, v 0; writes u"
local function step_text(step)
  local reads, writes = {}, {}
  for i, entry in ipairs(step.reads) do reads[i] = ("%s %s"):format(entry.field.name, layers_text(entry)) end
  for i, field in ipairs(step.writes) do writes[i] = field.name end
  local star = step.stencil == "star" and #reads > 0 and " along the axes" or ""
  return (#reads > 0 and "reads " .. table.concat(reads, ", ") .. star .. "; " or "") .. "writes " .. table.concat(writes, ", ")
end

-- What there is about each step, also for `halogen explain`: { name =, text =, layers = texts from the last cycle before an exchange }.
function emit_cycles.steps(planned)
  local out = {}
  for s, step in ipairs(planned.cycle.steps) do
    local texts = {}
    for r = 1, planned.most do texts[r] = layers_text(planned.layers[r][s]) end
    out[s] = { name = step.name, text = step_text(step), layers = texts }
  end
  return out
end

-- "exchange water serves 1 to 3 cycles"
local function served_text(planned)
  return ("exchange %s serves %s"):format(planned.cycle.exchange.name,
    planned.most == 1 and "one cycle" or ("1 to %d cycles"):format(planned.most))
end

-- What the header's opening comment says of each cycle, as rows of a table: its name, and a line.
function emit_cycles.rows(plan)
  local rows = {}
  for _, planned in ipairs(plan.cycles) do
    rows[#rows + 1] = { planned.cycle.name, served_text(planned) }
    for _, step in ipairs(planned.cycle.steps) do rows[#rows + 1] = { "", step.name .. ": " .. step_text(step) } end
  end
  return rows
end

local function manual_of(model, planned)
  local most = planned.most
  local lines = { ("E%s.  Steps compute their points and so many layers of the halo, below:above, along %s,"):format(
    served_text(planned):sub(2), table.concat(model.grid.axes, ", ")),
    most == 1 and "at most:" or "in the last cycle before an exchange, the one before it, and so on:" }
  for _, step in ipairs(emit_cycles.steps(planned)) do
    lines[#lines + 1] = ("    %s: %s: %s"):format(step.name, step.text, table.concat(step.layers, ", ", 1, math.min(most, 8))
      .. (most > 8 and ", ..." or ""))
  end
  return lines
end

-- ---- tables -------------------------------------------------------------------------------------------------------

-- What the check program has of a step, as the spec says it: what it reads, how far, and what it writes.
local function accesses_of(prefix, step)
  local function enum(field) return prefix .. "_" .. field.name:upper() end
  local out, reads = {}, step.stencil == "star" and "HX_CHECK_READS_ALONG_AXES" or "HX_CHECK_READS"
  for i, entry in ipairs(step.reads) do out[i] = ("%s, %s, %s"):format(enum(entry.field), reads, row_of(entry)) end
  for _, field in ipairs(step.writes) do out[#out + 1] = enum(field) .. ", HX_CHECK_WRITES, {{0}, {0}}" end
  return out
end

-- The fields that a step writes: the enum of the first, and the names of the others.
local function written_of(prefix, step)
  local others = {}
  for i = 2, #step.writes do others[i - 1] = step.writes[i].name end
  return { enum = prefix .. "_" .. step.writes[1].name:upper(),
    others = #others <= 6 and table.concat(others, ", ") or #others .. " fields" }
end

local function step_views(plan, planned)
  local views = {}
  for s, step in ipairs(planned.cycle.steps) do
    local rows = {}
    for r = 1, planned.most do rows[r] = row_of(planned.layers[r][s]) end
    views[s] = { name = step.name, line = step.where.line, index = s - 1, rows = rows,
      accesses = accesses_of(plan.model.name:upper(), step), written = written_of(plan.model.name:upper(), step) }
  end
  return views
end

-- What each cycle reads as it begins, of the fields of the exchange in their order there.
local function need_rows(plan, planned)
  local rows = {}
  for r = 1, planned.most do
    for _, item in ipairs(plan.exchanges[planned.exchange].items) do
      rows[#rows + 1] = row_of(planned.needs[r][item.field.index])
    end
  end
  return rows
end

function emit_cycles.views(plan, exchanges)
  local views = {}
  for c, planned in ipairs(plan.cycles) do
    local cycle, exchange = planned.cycle, exchanges[planned.exchange]
    views[c] = { name = cycle.name, index = c - 1, line = cycle.where.line, exchange = exchange.enum, exchange_name = exchange.name,
      on_device = exchange.on_device, most = planned.most, steps = step_views(plan, planned), needs = need_rows(plan, planned),
      ends = planned.ends, sum = sums.of_cycle(plan, c), manual = manual_of(plan.model, planned) }
  end
  return views
end

return emit_cycles
