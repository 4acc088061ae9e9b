-- The numbers of one configuration, as docs/explain.md describes them: what lies where, who talks to whom, and what it costs.
--
-- All geometry is libhx's, asked by way of host.configuration (gen/explain).  Here it is added up.

local ordered = require "base.ordered"
local paths = require "explain.paths"
local prove_link = require "proof.prove_link"
local times = require "explain.times"
local wires = require "model.wires"
local words = require "explain.words"

local report = {}

-- ---- parts ----------------------------------------------------------------------------------------------------------------

-- Of each tile: as many blocks as ranks, shared evenly among tiles.
local function process_grids(tables, question, ranks, tile)
  local each = (ranks + tables.tiles - 1) // tables.tiles
  return host.process_grids { cells = question.cells[tile], parts = question.parts[tile], periodic = tables.periodic,
    face_bytes = tables.face_bytes, ranks = each }
end

local function is_given(parts)
  for _, n in ipairs(parts) do
    if n == 0 then return false end
  end
  return true
end

-- The parts of each tile, and the process grids of the first tile that has some to choose from; nil and a sentence.
local function choose_parts(tables, question, ranks)
  local parts, grids = {}, nil
  for t = 1, tables.tiles do
    if is_given(question.parts[t]) and (tables.tiles > 1 or question.given) then
      parts[t] = question.parts[t]
    else
      local found, sentence = process_grids(tables, question, ranks, t)
      if not found then return nil, sentence end
      parts[t], grids = found[1].parts, grids or found
    end
  end
  return parts, grids
end

-- ---- a rank ---------------------------------------------------------------------------------------------------------------

-- Faces of cells on the sides of a block, for each of its cells.
function report.surface(n)
  local faces = 0
  for _, cells in ipairs(n) do faces = faces + 2 / cells end
  return faces
end

local function blocks_of(blocks)
  local out = {}
  for b, block in ipairs(blocks) do
    out[b] = { tile = block.tile, block = block.block, index = block.index, first = block.first, n = block.n,
      surface_to_volume = report.surface(block.n) }
  end
  return out
end

-- Bytes of each field in all blocks of the rank.
local function fields_of(tables, blocks)
  local out = {}
  for f, field in ipairs(tables.field) do
    local owned, bytes = blocks.field[f].owned_bytes, blocks.field[f].bytes
    out[f] = { name = field.name, owned_bytes = owned, bytes = bytes, halo_share = bytes > 0 and (bytes - owned) / bytes or 0.0 }
  end
  return out
end

local function memory_of(fields)
  local owned, bytes = 0, 0
  for _, field in ipairs(fields) do owned, bytes = owned + field.owned_bytes, bytes + field.bytes end
  return { owned_bytes = owned, bytes = bytes, halo_share = bytes > 0 and (bytes - owned) / bytes or 0.0 }
end

-- What the child has memory for.
local MOST_ARRAYS = 100000

-- Blocks of a rank that are told one by one: those that a text shows, and those of which JSON can have links.
local BLOCKS_SHOWN = 8
local MOST_BLOCKS = 8000

-- Of all tiles.
function report.count_blocks(parts)
  local blocks = 0
  for _, list in ipairs(parts) do
    local of_tile = 1
    for _, n in ipairs(list) do of_tile = of_tile * n end
    blocks = blocks + of_tile
  end
  return blocks
end

-- Ranks that own nothing, since block b belongs to rank b * ranks / blocks.
function report.without_blocks(parts, ranks)
  return math.max(ranks - report.count_blocks(parts), 0)
end

-- The blocks of a rank, the first `most` of them one by one; nil and a sentence.
function report.blocks(tables, configuration, parts, ranks, rank, most)
  local blocks = (report.count_blocks(parts) + ranks - 1) // ranks
  if blocks * #tables.field > MOST_ARRAYS then
    return nil, ("a rank would own %d blocks with an array for each of %s, and explain looks at %d arrays at most"):format(blocks,
      words.plural(#tables.field, "field"), MOST_ARRAYS)
  end
  return configuration:blocks(rank, most)
end

-- Of all fields of a rank's blocks.
function report.memory(tables, blocks)
  return memory_of(fields_of(tables, blocks))
end

-- ---- an exchange of a rank --------------------------------------------------------------------------------------------------

local function peers_of(tables, exchange, question, messages)
  local peers, by_rank = {}, {}
  for _, message in ipairs(messages) do
    if message.kind ~= "within" then
      local peer = by_rank[message.peer]
      if not peer then
        peer = { rank = message.peer, path = paths.of(tables, exchange, question, question.rank, message.peer), sends = {}, receives = {} }
        by_rank[message.peer] = peer
        peers[#peers + 1] = peer
      end
      local side = peer[message.kind == "sent" and "sends" or "receives"]
      side[#side + 1] = { phase = message.phase, bytes = message.bytes, links = message.links, runs = message.runs }
    end
  end
  return ordered.sort(peers, function(a, b) return a.rank < b.rank end)
end

local function within_of(messages)
  local within = { links = 0, bytes = 0 }
  for _, message in ipairs(messages) do
    if message.kind == "within" then
      within.links, within.bytes = within.links + message.links, within.bytes + message.bytes
    end
  end
  return within
end

-- Along each axis, up to how many cells the proof tried every extent.
local function proved_of(tables, exchange)
  local bound = {}
  for a = 1, tables.axes do
    bound[a] = 0
    for _, item in ipairs(exchange.field) do
      bound[a] = math.max(bound[a], prove_link.bound(item.width_lo[a], item.width_hi[a]))
    end
  end
  return { tried_up_to = bound, sentence = words.proof(tables, exchange, bound) }
end

local function items_of(tables, exchange)
  local out = {}
  for i, item in ipairs(exchange.field) do
    out[i] = { name = tables.field[item.field + 1].name, width_lo = item.width_lo, width_hi = item.width_hi, wire = wires.names[item.wire] }
  end
  return out
end

local function phases_of(tables, found)
  local names = {}
  for i, axis in ipairs(found.axes) do names[i] = tables.axis[axis + 1] end
  return names
end

-- What the child has steps of Lua for.
local MOST_LINKS = 8000

-- Messages of the rank in an exchange, with links where they are asked for; nil and a sentence.
local function messages_of(question, configuration, number)
  local function ask(with_links)
    return configuration:messages(number - 1, question.schedule, not question.per_node, question.rank, with_links)
  end
  local found, sentence = ask(false)
  if not found or not question.with_links then return found, sentence end
  for _, message in ipairs(found.messages) do question.links = question.links + message.links end
  if question.links > MOST_LINKS then
    return nil, ("rank %d has %d links or more, and --format json lists %d at most"):format(question.rank, question.links, MOST_LINKS)
  end
  return ask(true)
end

-- Of the rank that is shown, and of the busiest one; both nil without a machine file.  false and a sentence where that fails, or
-- false alone after reporting.
local function times_of(tables, question, configuration, number, totals)
  if not question.machine then return nil, nil end
  local busiest = totals.busiest.rank
  local shown, sentence = times.of(tables, question, configuration, number, question.rank, totals)
  if not shown or busiest == question.rank then return shown or false, shown or sentence end
  local most
  most, sentence = times.of(tables, question, configuration, number, busiest, totals)
  return most and shown or false, most or sentence
end

local function exchange_of(tables, question, configuration, number)
  local exchange, one_machine = tables.exchange[number], not question.per_node
  local found, sentence = messages_of(question, configuration, number)
  local totals
  if found then totals, sentence = configuration:totals(number - 1, question.schedule, one_machine, times.groups(question)) end
  if not totals then return nil, sentence end
  local predicted, of_busiest = times_of(tables, question, configuration, number, totals)
  if predicted == false then return nil, of_busiest end
  totals.predicted, totals.crossing = of_busiest, nil
  return {
    name = exchange.name, line = exchange.line, operation = exchange.operation, shared = exchange.shared,
    field = items_of(tables, exchange),
    schedule = { by_dimension = found.by_dimension, phases = phases_of(tables, found), why = found.why },
    proved = proved_of(tables, exchange),
    peer = peers_of(tables, exchange, question, found.messages),
    within = within_of(found.messages),
    kernel = found.kernels,
    run = found.run,
    link = question.with_links and found.links or nil,
    predicted = predicted,
    total = totals,
  }
end

-- ---- the whole ------------------------------------------------------------------------------------------------------------

local function same_node(question, ranks)
  return not question.per_node or question.per_node >= ranks
end

function report.spec(tables)
  return { name = tables.name, file = tables.file, hash = tables.hash, kind = tables.kind, axis = tables.axis, tiles = tables.tiles }
end

-- A configuration and its parts; nil and a sentence.
function report.configure(tables, question, ranks)
  local parts, grids = choose_parts(tables, question, ranks)
  if not parts then return nil, grids end
  local configuration, sentence = host.configuration { spec = tables, cells = question.cells, parts = parts, ranks = ranks }
  if not configuration then return nil, sentence end
  return configuration, parts, grids
end

-- Links of all ranks, by rank and exchange, in message order; nil and a sentence.
local function all_links(tables, question, configuration, ranks)
  local out = {}
  for rank = 0, ranks - 1 do
    for e in ipairs(tables.exchange) do
      local found, sentence = configuration:messages(e - 1, question.schedule, not question.per_node, rank, true)
      if not found then return nil, sentence end
      for _, link in ipairs(found.links) do
        link.rank, link.exchange = rank, e - 1
        out[#out + 1] = link
      end
      if #out > MOST_LINKS then
        return nil, ("--links would list more than %d links; take fewer ranks, or leave it out: --rank R shows one"):format(MOST_LINKS)
      end
    end
  end
  return out
end

-- Of a grid that is a list of points: who talks to whom is in the lists that a program gives.
function report.listed(tables)
  local exchanges = {}
  for e, exchange in ipairs(tables.exchange) do
    exchanges[e] = { name = exchange.name, line = exchange.line, operation = exchange.operation, shared = exchange.shared,
      field = items_of(tables, exchange) }
  end
  return { schema = 1, halogen = host.options.version, spec = report.spec(tables), exchange = exchanges }
end

-- nil and a sentence where libhx finds none, nil alone after reporting.
function report.of(tables, question)
  local ranks = question.ranks[1]
  local asked = { cells = question.cells, parts = question.parts, given = question.given, rank = question.rank,
    schedule = question.schedule, with_links = host.options.format == "json", links = 0,
    per_node = not same_node(question, ranks) and question.per_node or nil, all = ranks, machine = question.machine }
  local configuration, parts, grids = report.configure(tables, asked, ranks)
  if not configuration then return nil, parts end
  local blocks, sentence = report.blocks(tables, configuration, parts, ranks, asked.rank,
    asked.with_links and MOST_BLOCKS or BLOCKS_SHOWN)
  if not blocks then return nil, sentence end
  if asked.with_links and blocks.count > MOST_BLOCKS then
    return nil, ("rank %d has %d blocks, and --format json lists %d at most"):format(asked.rank, blocks.count, MOST_BLOCKS)
  end
  local exchanges = {}
  for e in ipairs(tables.exchange) do
    exchanges[e], sentence = exchange_of(tables, asked, configuration, e)
    if not exchanges[e] then return nil, sentence end
  end
  local links
  if host.options.links then
    links, sentence = all_links(tables, asked, configuration, ranks)
    if not links then return nil, sentence end
  end
  local fields = fields_of(tables, blocks)
  return {
    schema = 1, halogen = host.options.version, spec = report.spec(tables),
    cells = question.cells, ranks = ranks, parts = parts, ranks_of_a_node = asked.per_node or ranks,
    ranks_without_blocks = report.without_blocks(parts, ranks),
    machine = question.machine and question.machine.file or nil,
    process_grid = grids and { tried = grids.tried, best = table.move(grids, 1, #grids, 1, {}) } or nil,
    rank = { rank = asked.rank, node = asked.per_node and asked.rank // asked.per_node or 0, blocks = blocks.count,
      block = blocks_of(blocks),
      field = fields, memory = memory_of(fields) },
    exchange = exchanges, link = links,
  }
end

return report
