-- The predicted time of a rank in an exchange: what it moves comes from libhx's code, how fast from the file of --machine.

local machine = require "explain.machine"
local paths = require "explain.paths"
local predict = require "explain.predict"

local times = {}

-- Bytes of the arrays that the exchange's fields have in all blocks of a rank.
local function array_bytes(exchange, blocks)
  local bytes = 0
  for _, item in ipairs(exchange.field) do bytes = bytes + blocks.field[item.field + 1].bytes end
  return bytes
end

-- Of each uplink of the machine file, the ranks that share it; nil where messages take none.
function times.groups(question)
  if not question.machine or not question.machine.uplink or not question.per_node then return nil end
  local groups = {}
  for i, line in ipairs(question.machine.uplink) do
    groups[i] = line.nodes < question.all and math.min(line.nodes * question.per_node, question.all) or question.all
  end
  return groups
end

-- How many of the uplinks lie between two ranks.
local function uplinks_between(groups, rank, peer)
  local count = 0
  for i, ranks in ipairs(groups or {}) do
    if rank // ranks ~= peer // ranks then count = i end
  end
  return count
end

-- Of a rank whose blocks and messages are known; nil after reporting a path that the machine file lacks.
local function predicted(tables, question, exchange, found)
  local groups = times.groups(question)
  for _, message in ipairs(found.messages) do
    if message.kind ~= "within" then
      message.path = paths.of(tables, exchange, question, found.rank, message.peer)
      message.uplinks = uplinks_between(groups, found.rank, message.peer)
    end
  end
  local at = { kib = array_bytes(exchange, found.blocks) / 1024, ranks_of_node = math.min(question.per_node or question.all, question.all),
    on_device = paths.is_on_device(tables, exchange), crossing = found.crossing }
  local lacks = predict.lacks(question.machine, found.messages, at)
  if lacks then return machine.lacks(question.machine, lacks, exchange.name) end
  local out = predict.exchange(question.machine, found.messages, at)
  out.rank = found.rank
  return out
end

-- question: { machine =, all = how many ranks there are, per_node =, schedule = }.  number: of the exchange, from 1.  totals: of that
-- exchange, with the bytes that cross the groups of times.groups.  nil and a sentence where libhx refuses it, nil alone after
-- reporting.
function times.of(tables, question, configuration, number, rank, totals)
  local blocks, sentence = configuration:blocks(rank, 0)
  if not blocks then return nil, sentence end
  local found
  found, sentence = configuration:messages(number - 1, question.schedule, not question.per_node, rank, false)
  if not found then return nil, sentence end
  return predicted(tables, question, tables.exchange[number], { rank = rank, blocks = blocks, messages = found.messages,
    crossing = totals.crossing })
end

-- ---- several numbers of ranks ---------------------------------------------------------------------------------------------

-- More ranks are worth it where they save more than this share of the time.
local WORTH = 0.05

-- Of a list of { ranks, microseconds }, by rising ranks: the first number of ranks than which no larger one is faster by more than
-- WORTH; nil where that is the last one.
function times.stop(list)
  local least, stop = math.huge, #list -- of those behind
  for i = #list, 1, -1 do
    if list[i][2] * (1 - WORTH) <= least then stop = i end
    least = math.min(least, list[i][2])
  end
  return stop < #list and list[stop][1] or nil
end

return times
