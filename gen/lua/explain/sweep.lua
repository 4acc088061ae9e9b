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

-- What of one number of ranks goes into the sweep; { ranks =, refused = sentence } where libhx refuses it.
local function row_of(tables, question, ranks)
  local configuration, parts = report.configure(tables, question, ranks)
  if not configuration then return { ranks = ranks, refused = parts } end
  local blocks, sentence = report.blocks(tables, configuration, parts, ranks, 0)
  local exchanges
  if blocks then exchanges, sentence = totals_of(tables, question, configuration, ranks) end
  if not exchanges then return { ranks = ranks, refused = sentence } end
  return { ranks = ranks, parts = parts[1], block = blocks[1].n, surface_to_volume = report.surface(blocks[1].n),
    memory = report.memory(tables, blocks), exchange = exchanges }
end

function sweep.of(tables, question)
  local found = { schema = 1, halogen = host.options.version, spec = report.spec(tables), cells = question.cells, sweep = {}, exchange = {} }
  for e, exchange in ipairs(tables.exchange) do found.exchange[e] = { name = exchange.name, line = exchange.line } end
  for r, ranks in ipairs(question.ranks) do found.sweep[r] = row_of(tables, question, ranks) end
  return found
end

return sweep
