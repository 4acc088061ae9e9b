-- What a run wrote of who waited for whom (HX_STATS=FILE): is it that, and of this spec?  As text; the page shows it by its script.

local json = require "explain.json"
local json_read = require "explain.json_read"
local lines_of = require "explain.lines"
local report = require "base.report"
local words = require "explain.words"

local statistics = {}

local AGAIN = "run the program with HX_STATS=stats.json in its environment, and give that file"

local function refuse(sentence, help)
  report.error("HG0010", nil, sentence, help or AGAIN)
end

-- ---- reading ----------------------------------------------------------------------------------------------------------------

local NUMBERS = { "times", "messages", "bytes_sent", "every_seconds", "pack_seconds", "copy_seconds", "wait_seconds", "unpack_seconds" }

local function has(told, keys, kind)
  for _, key in ipairs(keys) do
    if type(told[key]) ~= kind then return false end
  end
  return true
end

local function has_integers(told, keys)
  for _, key in ipairs(keys) do
    if math.type(told[key]) ~= "integer" then return false end
  end
  return true
end

local function are_tables(list)
  for _, value in ipairs(list) do
    if type(value) ~= "table" then return false end
  end
  return true
end

local function are_exchanges(list)
  for _, exchange in ipairs(list) do
    if type(exchange.name) ~= "string" or type(exchange.ranks) ~= "table" or not are_tables(exchange.ranks) then return false end
    for _, told in ipairs(exchange.ranks) do
      if not has(told, NUMBERS, "number") then return false end
    end
  end
  return true
end

local BALANCE = { "slowest", "most_work_seconds", "mean_work_seconds", "imbalance_percent", "saved_seconds", "late_percent",
  "transfer_percent" }

local function is_statistics(found)
  if type(found) ~= "table" or found.format ~= "halogen-statistics" then return false end
  if not has_integers(found, { "ranks", "silent" }) or not has(found, { "spec", "file", "hash" }, "string") then return false end
  if not has(found, { "balance", "awaited", "copying", "of_ranks", "exchanges" }, "table") then return false end
  for _, list in ipairs { found.awaited, found.of_ranks, found.exchanges } do
    if not are_tables(list) then return false end
  end
  for _, told in ipairs(found.awaited) do
    if not has_integers(told, { "rank" }) or not has(told, { "seconds", "slower_percent" }, "number") then return false end
  end
  return has(found, { "seconds" }, "number") and has(found.balance, BALANCE, "number") and has_integers(found.balance, { "slowest" })
    and has(found.copying, { "bytes_per_second", "percent" }, "number")
    and are_exchanges(found.exchanges)
end

-- nil after reporting.  name: of the file.
function statistics.read(tables, name, text)
  local found, problem = json_read.parse(text)
  if problem then return refuse(("'%s' is no JSON: %s"):format(name, problem)) end
  if type(found) == "table" and found.format == "halogen-statistics" and found.version ~= 1 then
    return refuse(("'%s' has version %s of what runs write; this halogen reads version 1"):format(name, found.version),
      "take the halogen that belongs to the libhx of the run")
  end
  if not is_statistics(found) then return refuse(("'%s' has no statistics of a run"):format(name)) end
  if found.hash ~= tables.hash then
    return refuse(("'%s' is of the spec %s with the hash %s; %s has %s"):format(name, found.spec, found.hash, tables.file, tables.hash),
      "give the spec that the program was generated from, with the same -D")
  end
  return found
end

-- ---- as text ----------------------------------------------------------------------------------------------------------------

local function time(seconds)
  return words.time(1e6 * seconds)
end

-- Of one exchange on one rank, on average; late and transfer are nil where a rank told its peers nothing.
local function mean_of(exchange)
  local sum, gaps, told = { late_seconds = 0.0, transfer_seconds = 0.0 }, 0, #exchange.ranks
  for _, rank in ipairs(exchange.ranks) do
    for _, key in ipairs(NUMBERS) do sum[key] = (sum[key] or 0) + rank[key] end
    for _, key in ipairs { "late_seconds", "transfer_seconds" } do
      sum[key] = sum[key] and rank[key] ~= json.null and sum[key] + (rank[key] or 0) or nil
    end
    gaps = gaps + math.max(rank.times - 1, 0)
  end
  local function each(key) return sum[key] and sum.times > 0 and time(sum[key] / sum.times) or "?" end
  return { exchange.name, ("%.0f"):format(sum.times / told), ("%.4g"):format(sum.messages / told),
    words.bytes(math.floor(sum.bytes_sent / told)), gaps > 0 and time(sum.every_seconds / gaps) or "-", each "pack_seconds",
    each "copy_seconds", each "late_seconds", each "transfer_seconds", each "unpack_seconds" }
end

local HEADS = { "exchange", ">times", ">messages", ">bytes", ">every", ">pack", ">copy", ">late", ">transfer", ">unpack" }

local function exchanges(lines, found)
  local rows = {}
  for _, exchange in ipairs(found.exchanges) do
    if #exchange.ranks > 0 then rows[#rows + 1] = mean_of(exchange) end
  end
  lines[#lines + 1] = ""
  lines[#lines + 1] = "one exchange on one rank, on average; late and transfer are what it waits"
  lines_of.columns(lines, HEADS, rows)
end

local function balance(lines, found)
  local of = found.balance
  lines[#lines + 1] = ""
  lines_of.wrap(lines, "", ("ranks wait for %.1f %% of the run: %.1f %% for ranks that are late, %.1f %% for transfer"):format(
    of.late_percent + of.transfer_percent, of.late_percent, of.transfer_percent))
  lines_of.wrap(lines, "", ("imbalance: %.1f %% of the run; rank %d works for %s, a rank on average for %s"):format(of.imbalance_percent,
    of.slowest, time(of.most_work_seconds), time(of.mean_work_seconds)))
  lines_of.wrap(lines, "", ("with perfect balance the run would be %s shorter"):format(time(of.saved_seconds)))
end

local MOST_AWAITED = 8

local function awaited(lines, found)
  if #found.awaited == 0 then return end
  local rows = {}
  for i = 1, math.min(#found.awaited, MOST_AWAITED) do
    local told = found.awaited[i]
    rows[i] = { tostring(told.rank), time(told.seconds), words.percent(told.slower_percent / 100) }
  end
  lines[#lines + 1] = ""
  lines[#lines + 1] = "who others wait for, how long they do, and by how much longer it works than they do"
  lines_of.columns(lines, { ">rank", ">they wait", ">it works longer by" }, rows)
  if #found.awaited > MOST_AWAITED then lines[#lines + 1] = ("  and %d more"):format(#found.awaited - MOST_AWAITED) end
end

function statistics.text(found)
  local lines = {}
  lines_of.wrap(lines, "", ("%s (%s): %s, %s from the first start to the last finish"):format(found.spec, found.file,
    words.plural(found.ranks, "rank"), time(found.seconds)))
  if found.silent > 0 then lines[#lines + 1] = ("  %s told nothing"):format(words.plural(found.silent, "rank")) end
  if found.balance.slowest < 0 then
    lines[#lines + 1] = "  no exchange was finished"
    return lines_of.finished(lines)
  end
  exchanges(lines, found)
  balance(lines, found)
  awaited(lines, found)
  if found.copying.percent > 0 then
    lines[#lines + 1] = ""
    lines[#lines + 1] = ("loops moved %.1f GB/s, %.0f %% of what memcpy reaches there"):format(1e-9 * found.copying.bytes_per_second,
      found.copying.percent)
  end
  return lines_of.finished(lines)
end

return statistics
