-- What report.lua and sweep.lua found, as text of at most 100 columns.

local lines_of = require "explain.lines"
local predict = require "explain.predict"
local wires = require "model.wires"
local words = require "explain.words"

local text = {}

local wrap, columns, finished = lines_of.wrap, lines_of.columns, lines_of.finished

-- ---- what lies where ------------------------------------------------------------------------------------------------------

local function cells_text(cells)
  local first = words.product(cells[1])
  for _, list in ipairs(cells) do
    if words.product(list) ~= first then return "tiles of " .. first .. " cells and others" end
  end
  return #cells > 1 and ("%d tiles of %s cells"):format(#cells, first) or first .. " cells"
end

local function head_of(found)
  return ("%s (%s): %s on %s%s"):format(found.spec.name, found.spec.file, cells_text(found.cells), words.plural(found.ranks, "rank"),
    found.ranks_of_a_node < found.ranks and (", %d a node"):format(found.ranks_of_a_node) or "")
end

local function process_grids(lines, found)
  local grids = found.process_grid
  if not grids then
    lines[#lines + 1] = ""
    lines[#lines + 1] = (found.spec.tiles > 1 and "parts of tile 0: %s" or "parts: %s"):format(words.product(found.parts[1]))
    return
  end
  lines[#lines + 1] = ""
  wrap(lines, "", ("process grids%s: bytes that the busiest rank sends and receives through faces when every exchange is done "
    .. "once, and the blocks around it"):format(found.spec.tiles > 1 and " of a tile, without what goes to other tiles" or ""))
  local rows = {}
  for g, grid in ipairs(grids.best) do
    rows[g] = { words.product(grid.parts), words.bytes(grid.bytes), tostring(grid.neighbors), g == 1 and "chosen" or "" }
  end
  columns(lines, { "parts", ">bytes", ">around", "" }, rows)
  if grids.tried > #grids.best then lines[#lines + 1] = ("  and %d more, none better"):format(grids.tried - #grids.best) end
end

-- Ranks for which there is no block, where --parts asks for too few.
local function idle_text(found)
  local idle = found.ranks_without_blocks
  return ("%d of %s own%s nothing: there %s %s"):format(idle, words.plural(found.ranks, "rank"), idle == 1 and "s" or "",
    found.ranks - idle == 1 and "is" or "are", words.plural(found.ranks - idle, "block"))
end

local function idle_ranks(lines, found)
  if found.ranks_without_blocks > 0 then lines[#lines + 1] = idle_text(found) end
end

local function blocks(lines, found)
  local rank = found.rank
  lines[#lines + 1] = ""
  lines[#lines + 1] = ("rank %d, on node %d, owns %s"):format(rank.rank, rank.node, words.plural(rank.blocks, "block"))
  for _, block in ipairs(rank.block) do
    local ranges = {}
    for a, name in ipairs(found.spec.axis) do
      ranges[a] = ("%s %d ... %d"):format(name, block.first[a], block.first[a] + block.n[a] - 1)
    end
    wrap(lines, "  ", ("tile %d, block %d: %s, %s cells, %.3f faces on its surface for each cell"):format(block.tile, block.block,
      words.enumerate(ranges), words.product(block.n), block.surface_to_volume))
  end
  if rank.blocks > #rank.block then lines[#lines + 1] = ("  and %d more"):format(rank.blocks - #rank.block) end
end

local function memory_row(name, memory)
  return { name, words.bytes(memory.owned_bytes), words.bytes(memory.bytes), words.percent(memory.halo_share) }
end

local function fields(lines, found)
  local rows = {}
  for f, field in ipairs(found.rank.field) do rows[f] = memory_row(field.name, field) end
  if #rows > 1 then rows[#rows + 1] = memory_row("all", found.rank.memory) end
  lines[#lines + 1] = ""
  columns(lines, { "field", ">owned", ">allocated", ">halo" }, rows)
end

-- ---- an exchange ------------------------------------------------------------------------------------------------------------

local VERBS = { copy = "copies", add = "adds", mean = "takes means of", sum = "sums", min = "takes minima of", max = "takes maxima of" }

local function names_of(exchange)
  local names = {}
  for i, item in ipairs(exchange.field) do names[i] = item.name end
  return words.enumerate(names)
end

local function widths_of(exchange, axes)
  local out = {}
  for a, name in ipairs(axes) do
    local lo, hi = 0, 0
    for _, item in ipairs(exchange.field) do lo, hi = math.max(lo, item.width_lo[a]), math.max(hi, item.width_hi[a]) end
    if lo + hi > 0 then out[#out + 1] = lo == hi and ("%d along %s"):format(lo, name) or ("%d below and %d above along %s"):format(lo, hi, name) end
  end
  return #out > 0 and "up to " .. words.enumerate(out):gsub("^%d+", out[1]:find("^1 ") and "%0 layer" or "%0 layers") or "on faces that blocks share"
end

-- Fields whose numbers travel shorter than they are, format by format; nil: there are none.
local function wires_of(exchange)
  local out = {}
  for _, format in ipairs(wires.names) do
    local names = {}
    for _, item in ipairs(exchange.field) do
      if item.wire == format then names[#names + 1] = item.name end
    end
    if #names > 0 then out[#out + 1] = ("of %s as %s"):format(words.enumerate(names), format) end
  end
  return #out > 0 and "numbers travel shorter than they are: " .. table.concat(out, ", ") or nil
end

local function schedule_text(schedule)
  if schedule.by_dimension then
    return ("by dimension, along %s: %s"):format(words.enumerate(schedule.phases), schedule.why)
  end
  return "in one phase: " .. schedule.why
end

local function sum_of(messages)
  local bytes, runs = 0, 0
  for _, message in ipairs(messages) do bytes, runs = bytes + message.bytes, runs + message.runs end
  return bytes, runs
end

local MOST_PEERS = 40

local function peers(lines, exchange)
  local rows = {}
  for p = 1, math.min(#exchange.peer, MOST_PEERS) do
    local peer = exchange.peer[p]
    local sent, sent_runs = sum_of(peer.sends)
    local received, received_runs = sum_of(peer.receives)
    rows[p] = { tostring(peer.rank), peer.path, tostring(#peer.sends), words.bytes(sent), tostring(sent_runs), tostring(#peer.receives),
      words.bytes(received), tostring(received_runs) }
  end
  if #rows == 0 then return end
  columns(lines, { ">peer", "path", ">sends", ">bytes", ">in runs", ">receives", ">bytes", ">in runs" }, rows)
  if #exchange.peer > MOST_PEERS then lines[#lines + 1] = ("  and %d more"):format(#exchange.peer - MOST_PEERS) end
end

local WORK = { pack = "packs", unpack = "unpacks", copy = "copies within the rank" }

local function kernels(lines, exchange)
  for _, entry in ipairs(exchange.kernel) do
    lines[#lines + 1] = ("  %s %s by kernel \"%s\": %s"):format(WORK[entry.work], words.plural(entry.links, "link"), entry.kernel,
      words.bytes(entry.bytes))
  end
end

local function load_text(load)
  return ("rank %d sends %s of %s and receives %s of %s"):format(load.rank, words.plural(load.sends, "message"), words.bytes(load.bytes_sent),
    load.receives, words.bytes(load.bytes_received))
end

-- Parts that take no time are left out.
local function time_text(predicted)
  local parts = {}
  for _, part in ipairs(predict.PARTS) do
    if predicted[part] > 0 then parts[#parts + 1] = ("%s %s"):format(part, words.time(predicted[part])) end
  end
  return words.time(predicted.microseconds) .. (#parts > 1 and ": " .. table.concat(parts, ", ") or "")
end

local function times(lines, found, exchange)
  if not exchange.predicted then return end
  wrap(lines, "  ", ("predicted by %s: %s"):format(found.machine, time_text(exchange.predicted)))
  local busiest = exchange.total.predicted
  local words_of_busiest = time_text(busiest)
  if busiest.rank ~= exchange.predicted.rank then
    wrap(lines, "  ", ("predicted for the busiest, rank %d: %s"):format(busiest.rank,
      words_of_busiest == time_text(exchange.predicted) and "the same" or words_of_busiest))
  end
end

local function exchange_lines(lines, found, exchange)
  lines[#lines + 1] = ""
  wrap(lines, "", ("exchange %s (line %d) %s %s, %s"):format(exchange.name, exchange.line, VERBS[exchange.operation], names_of(exchange),
    widths_of(exchange, found.spec.axis)))
  if wires_of(exchange) then wrap(lines, "  ", wires_of(exchange)) end
  if not exchange.schedule then return end
  wrap(lines, "  ", exchange.proved.sentence)
  wrap(lines, "  ", schedule_text(exchange.schedule))
  peers(lines, exchange)
  if exchange.within.links > 0 then
    lines[#lines + 1] = ("  within the rank: %s, %s"):format(words.plural(exchange.within.links, "link"), words.bytes(exchange.within.bytes))
  end
  kernels(lines, exchange)
  local run, total = exchange.run, exchange.total
  if run.count > 0 then
    lines[#lines + 1] = ("  memory is touched in %s of %s to %s, %s on average"):format(words.plural(run.count, "run"), words.bytes(run.shortest),
      words.bytes(run.longest), words.bytes(run.bytes // run.count))
  end
  wrap(lines, "  ", ("all ranks: %s, %s sent and %s copied"):format(words.plural(total.messages, "message"), words.bytes(total.bytes_sent),
    words.bytes(total.bytes_copied)))
  wrap(lines, "  ", "busiest: " .. load_text(total.busiest))
  if total.idlest.rank ~= total.busiest.rank then wrap(lines, "  ", "idlest: " .. load_text(total.idlest)) end
  times(lines, found, exchange)
end

-- ---- cycles -------------------------------------------------------------------------------------------------------------------

local function cycle_lines(lines, found, cycle)
  lines[#lines + 1] = ""
  wrap(lines, "", ("cycle %s (line %d): exchange %s serves %s"):format(cycle.name, cycle.line, cycle.exchange,
    cycle.most == 1 and "one cycle" or ("1 to %d cycles"):format(cycle.most)))
  for _, step in ipairs(cycle.step) do
    wrap(lines, "  ", ("step %s %s; so many layers of the halo, below:above, along %s, from the last cycle before an exchange back: %s"):format(
      step.name, step.text, table.concat(found.spec.axis, ", "), table.concat(step.layers, ", ")))
  end
  local rows = {}
  for i, served in ipairs(cycle.served) do
    rows[i] = { tostring(served.cycles), ("%.2f"):format(served.points),
      served.exchange_microseconds and words.time(served.exchange_microseconds) or "",
      served.pays_below_ns and ("%.3g ns"):format(served.pays_below_ns) or "",
      served.cycle_microseconds and words.time(served.cycle_microseconds) or "" }
  end
  columns(lines, { ">cycles", ">points", found.machine and ">exchange" or "", found.machine and ">pays below" or "",
    cycle.fastest and ">a cycle" or "" }, rows)
  if cycle.fastest and cycle.most > 1 then
    wrap(lines, "  ", ("fastest with %s: say HX_CYCLES=%d, or set the option cycles"):format(words.plural(cycle.fastest, "cycle"), cycle.fastest))
  end
end

-- ---- the whole --------------------------------------------------------------------------------------------------------------

function text.of(found)
  local lines = {}
  wrap(lines, "", head_of(found))
  process_grids(lines, found)
  idle_ranks(lines, found)
  blocks(lines, found)
  fields(lines, found)
  for _, exchange in ipairs(found.exchange) do exchange_lines(lines, found, exchange) end
  for _, cycle in ipairs(found.cycle or {}) do cycle_lines(lines, found, cycle) end
  return finished(lines)
end

function text.listed(found)
  local lines = {}
  wrap(lines, "", ("%s (%s): an index list"):format(found.spec.name, found.spec.file))
  wrap(lines, "  ", "The grid has no boxes: which points travel, and to whom, is in the lists that the program gives when it makes "
    .. "a handle. NAME_describe tells it then.")
  for _, exchange in ipairs(found.exchange) do
    wrap(lines, "", ("exchange %s (line %d) %s %s"):format(exchange.name, exchange.line, VERBS[exchange.operation],
      names_of(exchange)))
  end
  return finished(lines)
end

-- ---- a sweep ----------------------------------------------------------------------------------------------------------------

local function refused(lines, rows)
  for _, row in ipairs(rows) do
    if row.refused then wrap(lines, "  ", ("%d: %s"):format(row.ranks, row.refused)) end
  end
end

local function parts_table(lines, found)
  local rows = {}
  for _, row in ipairs(found.sweep) do
    if not row.refused then
      rows[#rows + 1] = { tostring(row.ranks), words.product(row.parts), words.product(row.block), words.bytes(row.memory.bytes),
        words.percent(row.memory.halo_share), ("%.3f"):format(row.surface_to_volume) }
    end
  end
  columns(lines, { ">ranks", "parts", "cells of block 0", ">memory", ">halo", ">surface" }, rows)
  for _, row in ipairs(found.sweep) do
    if not row.refused and row.ranks_without_blocks > 0 then lines[#lines + 1] = "  " .. idle_text(row) end
  end
end

local function stop(lines, exchange)
  wrap(lines, "  ", exchange.stops_scaling_at and ("%s stops scaling at %s: with more it is not 5 %% faster"):format(exchange.name,
    words.plural(exchange.stops_scaling_at, "rank")) or exchange.name .. " still gets faster with the last number of ranks")
end

local function exchange_table(lines, found, number)
  local rows, name = {}, found.exchange[number].name
  for _, row in ipairs(found.sweep) do
    local total = row.exchange and row.exchange[number]
    if total then
      rows[#rows + 1] = { tostring(row.ranks), tostring(total.busiest.sends), words.bytes(total.busiest.bytes_sent),
        words.bytes(total.busiest.bytes_received), tostring(total.messages), words.bytes(total.bytes_sent), words.bytes(total.bytes_copied),
        total.predicted and words.time(total.predicted.microseconds) or "" }
    end
  end
  lines[#lines + 1] = ""
  lines[#lines + 1] = ("exchange %s: the busiest rank, then all"):format(name)
  columns(lines, { ">ranks", ">messages", ">sends", ">receives", ">messages", ">sent", ">copied", found.machine and ">predicted" or "" }, rows)
  if found.machine and #rows > 1 then stop(lines, found.exchange[number]) end
end

local function is_possible(found)
  for _, row in ipairs(found.sweep) do
    if not row.refused then return true end
  end
  return false
end

function text.sweep(found)
  local lines = {}
  wrap(lines, "", ("%s (%s): %s"):format(found.spec.name, found.spec.file, cells_text(found.cells)))
  lines[#lines + 1] = ""
  if is_possible(found) then
    parts_table(lines, found)
    for e in ipairs(found.exchange) do exchange_table(lines, found, e) end
    local before = #lines
    refused(lines, found.sweep)
    if #lines > before then
      table.insert(lines, before + 1, "")
      table.insert(lines, before + 2, "not possible:")
    end
  else
    lines[#lines + 1] = "none of these numbers of ranks is possible:"
    refused(lines, found.sweep)
  end
  return finished(lines)
end

return text
