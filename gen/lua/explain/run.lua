-- What a real run wrote (HX_DESCRIBE=FILE), read for the page: is it one, and of this spec?

local json = require "explain.json"
local json_read = require "explain.json_read"
local report = require "base.report"

local run = {}

local AGAIN = "run the program with HX_DESCRIBE=run.json in its environment, and give that file"

local function refuse(sentence, help)
  report.error("HG0010", nil, sentence, help or AGAIN)
end

-- What pages show of an exchange: all but the segments, which they find themselves.
local function exchange_of(exchange)
  return { name = exchange.name, schedule = exchange.schedule, schedule_why = exchange.schedule_why, peers = exchange.peers,
    times = exchange.times }
end

local function rank_of(told)
  if told == json.null then return told end
  local exchanges = {}
  for e, exchange in ipairs(told.exchanges) do exchanges[e] = exchange_of(exchange) end
  return { rank = told.rank, host = told.host, node = told.node, tiles = told.tiles, blocks = told.blocks, exchanges = exchanges,
    cycles = told.cycles or {} }
end

-- The first rank that told something.
local function anyone(found)
  for _, told in ipairs(found.ranks) do
    if told ~= json.null then return told end
  end
end

local function are_tables(list)
  for _, value in ipairs(list) do
    if type(value) ~= "table" then return false end
  end
  return true
end

local function is_rank(told)
  for _, key in ipairs { "exchanges", "tiles", "blocks", "cycles" } do
    local is_older = key == "cycles" and told[key] == nil
    if not is_older and (type(told[key]) ~= "table" or not are_tables(told[key])) then return false end
  end
  return type(told.node) == "table"
end

local function is_run(found)
  if type(found) ~= "table" or found.format ~= "halogen-runs" or type(found.ranks) ~= "table" or not are_tables(found.ranks) then
    return false
  end
  for _, told in ipairs(found.ranks) do
    if told ~= json.null and not is_rank(told) then return false end
  end
  return true
end

-- Whether what brackets enclose is a list, and not cut short or too long by brackets in strings.
local function is_whole(list)
  local bare = list:gsub('"[^"\\]*"', "")
  return not bare:find('"', 1, true) and bare:find "^%b[]$"
end

-- Most of the file is segments, which the page finds itself.  To read those of some hundred ranks takes more steps than the child
-- has.
local function without_phases(text)
  return (text:gsub('("phases": )(%b[])', function(key, list) return is_whole(list) and key .. "[]" or nil end))
end

-- nil after reporting.  name: of the file.
function run.read(tables, name, text)
  local found, problem = json_read.parse(without_phases(text))
  if problem then return refuse(("'%s' is no JSON: %s"):format(name, problem)) end
  if not is_run(found) then return refuse(("'%s' is not what a run wrote"):format(name)) end
  if found.version ~= 1 then
    return refuse(("'%s' has version %s of what runs write; this halogen reads version 1"):format(name, found.version),
      "take the halogen that belongs to the libhx of the run")
  end
  local first = anyone(found)
  if not first then return refuse(("no rank told anything in '%s'"):format(name)) end
  if first.hash ~= tables.hash then
    return refuse(("'%s' is of the spec %s with the hash %s; %s has %s"):format(name, first.spec, first.hash, tables.file, tables.hash),
      "give the spec that the program was generated from, with the same -D")
  end
  for t, tile in ipairs(first.tiles) do
    local land = tile.without_owner
    if math.type(land) == "integer" and land > 0 then
      return refuse(("in '%s' %d blocks of tile %d have no owner; explain deals all blocks to ranks"):format(name, land, t - 1),
        "take a run on a map without such blocks; NAME_describe of the run says what it did")
    end
  end
  local ranks = {}
  for r, told in ipairs(found.ranks) do ranks[r] = rank_of(told) end
  return { spec = found.spec, ranks = ranks }
end

return run
