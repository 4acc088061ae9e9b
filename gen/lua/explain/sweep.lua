-- The same grid on several numbers of ranks: of each the process grid, rank 0, and what all ranks do.

local report = require "explain.report"

local sweep = {}

local function totals_of(tables, question, configuration, ranks)
  local out, one_machine = {}, not question.per_node or question.per_node >= ranks
  for e, exchange in ipairs(tables.exchange) do
    local total, sentence = configuration:totals(e - 1, question.schedule, one_machine)
    if not total then return nil, sentence end
    total.name = exchange.name
    out[e] = total
  end
  return out
end

-- What the child has seconds for, in all: as many boxes of ghost points as one number of ranks may take (gen/explain/totals.h).
local MOST_BOXES = 4500000

-- Boxes of ghost points that are cut for one number of ranks; few where ranks are alike.
local function boxes_of(tables, parts, ranks)
  local blocks, boxes = 0, 0
  for _, list in ipairs(parts) do
    local of_tile = 1
    for _, n in ipairs(list) do of_tile = of_tile * n end
    blocks = blocks + of_tile
  end
  for _, exchange in ipairs(tables.exchange) do boxes = boxes + #exchange.field * #exchange.direction end
  local alike = tables.tiles == 1 and tables.kind ~= "fold" and blocks == ranks
  return alike and 0 or math.max(blocks, ranks) * boxes
end

-- Takes what one number of ranks needs of `left.boxes`; false and a sentence where that is too little.
local function afford(tables, parts, ranks, left)
  local boxes = boxes_of(tables, parts, ranks)
  if boxes > MOST_BOXES then return true end -- totals refuse it, with its numbers
  if boxes > left.boxes then
    return false, ("the numbers before took most of what explain looks at in one go; say --ranks %d"):format(ranks)
  end
  left.boxes = left.boxes - boxes
  return true
end

-- What of one number of ranks goes into the sweep; { ranks =, refused = sentence } where libhx refuses it.
local function row_of(tables, question, ranks, left)
  local configuration, parts = report.configure(tables, question, ranks)
  if not configuration then return { ranks = ranks, refused = parts } end
  local blocks, sentence = report.blocks(tables, configuration, parts, ranks, 0)
  local is_affordable, exchanges = false, nil
  if blocks then is_affordable, sentence = afford(tables, parts, ranks, left) end
  if is_affordable then exchanges, sentence = totals_of(tables, question, configuration, ranks) end
  if not exchanges then return { ranks = ranks, refused = sentence } end
  return { ranks = ranks, parts = parts[1], block = blocks[1].n, surface_to_volume = report.surface(blocks[1].n),
    memory = report.memory(tables, blocks), exchange = exchanges }
end

function sweep.of(tables, question)
  local found = { schema = 1, halogen = host.options.version, spec = report.spec(tables), cells = question.cells, sweep = {}, exchange = {} }
  for e, exchange in ipairs(tables.exchange) do found.exchange[e] = { name = exchange.name, line = exchange.line } end
  local left = { boxes = MOST_BOXES }
  for r, ranks in ipairs(question.ranks) do found.sweep[r] = row_of(tables, question, ranks, left) end
  return found
end

return sweep
