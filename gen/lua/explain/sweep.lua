-- The same grid on several numbers of ranks: of each the process grid, rank 0, and what all ranks do.

local ordered = require "base.ordered"
local report = require "explain.report"
local times = require "explain.times"

local sweep = {}

-- What one number of ranks is asked, for explain/times.
local function asked_of(question, ranks)
  local shares_one = not question.per_node or question.per_node >= ranks
  return { machine = question.machine, all = ranks, per_node = not shares_one and question.per_node or nil, schedule = question.schedule }
end

-- nil and a sentence where libhx refuses it, nil alone after reporting.
local function totals_of(tables, asked, configuration)
  local out = {}
  for e, exchange in ipairs(tables.exchange) do
    local total, sentence = configuration:totals(e - 1, asked.schedule, not asked.per_node, times.groups(asked))
    if not total then return nil, sentence end
    total.name = exchange.name
    if asked.machine then
      total.predicted, sentence = times.of(tables, asked, configuration, e, total.busiest.rank, total)
      if not total.predicted then return nil, sentence end
    end
    total.crossing = nil
    out[e] = total
  end
  return out
end

-- What the child has seconds for, in all: as many boxes of ghost points as one number of ranks may take (gen/explain/totals.h).
local MOST_BOXES = 4500000

-- Messages that are followed through uplinks in the time of one box.
local FOLLOWED = 10

-- Boxes of ghost points that are cut for one number of ranks; few where ranks are alike.
local function boxes_of(tables, parts, ranks, follows)
  local blocks, boxes = report.count_blocks(parts), 0
  for _, exchange in ipairs(tables.exchange) do boxes = boxes + #exchange.field * #exchange.direction end
  local alike = tables.tiles == 1 and tables.kind ~= "fold" and blocks == ranks
  return (alike and 0 or math.max(blocks, ranks) * boxes) + (follows and ranks * boxes // FOLLOWED or 0)
end

-- Takes what one number of ranks needs of `left.boxes`; false and a sentence where that is too little.
local function afford(tables, parts, ranks, follows, left)
  local boxes = boxes_of(tables, parts, ranks, follows)
  if boxes > MOST_BOXES then return true end -- totals refuse it, with its numbers
  if boxes > left.boxes then
    return false, ("the numbers before took most of what explain looks at in one go; say --ranks %d"):format(ranks)
  end
  left.boxes = left.boxes - boxes
  return true
end

-- What of one number of ranks goes into the sweep; { ranks =, refused = sentence } where libhx refuses it, nil after reporting.
local function row_of(tables, question, ranks, left)
  local configuration, parts = report.configure(tables, question, ranks)
  if not configuration then return { ranks = ranks, refused = parts } end
  local blocks, sentence = report.blocks(tables, configuration, parts, ranks, 0, 1)
  local is_affordable, exchanges, asked = false, nil, asked_of(question, ranks)
  if blocks then is_affordable, sentence = afford(tables, parts, ranks, times.groups(asked) ~= nil, left) end
  if is_affordable then exchanges, sentence = totals_of(tables, asked, configuration) end
  if not exchanges then return sentence and { ranks = ranks, refused = sentence } end
  return { ranks = ranks, ranks_without_blocks = report.without_blocks(parts, ranks), parts = parts[1], block = blocks[1].n,
    surface_to_volume = report.surface(blocks[1].n), memory = report.memory(tables, blocks), exchange = exchanges }
end

-- From how many ranks on an exchange does not get faster, by the times of its rows.
local function stop_of(rows, number)
  local list = {}
  for _, row in ipairs(rows) do
    if row.exchange then list[#list + 1] = { row.ranks, row.exchange[number].predicted.microseconds } end
  end
  return times.stop(ordered.sort(list, function(a, b) return a[1] < b[1] end))
end

-- nil after reporting.
function sweep.of(tables, question)
  local found = { schema = 1, halogen = host.options.version, spec = report.spec(tables), cells = question.cells,
    machine = question.machine and question.machine.file or nil, sweep = {}, exchange = {} }
  for e, exchange in ipairs(tables.exchange) do found.exchange[e] = { name = exchange.name, line = exchange.line } end
  local left = { boxes = MOST_BOXES }
  for r, ranks in ipairs(question.ranks) do
    found.sweep[r] = row_of(tables, question, ranks, left)
    if not found.sweep[r] then return nil end
  end
  for e, exchange in ipairs(found.exchange) do
    exchange.stops_scaling_at = question.machine and stop_of(found.sweep, e) or nil
  end
  return found
end

return sweep
