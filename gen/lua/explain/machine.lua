-- The file of --machine: how fast a machine is, one line for each path.  docs/explain.md has an example.
--
-- A machine is { file =, exchange = { latency_us = }, self = a list by rising kib, shared = likewise, network =, uplink = a list by
-- rising nodes, device =, step = }; all but self may be missing.  Figures keep the names that they have in the file.

local report = require "base.report"

local machine = {}

local HEAD = "halogen-machine 1"
local MOST = 1e12
local MOST_LINES = 1000

-- Which figures a line may have, in the order in which it lists them; whether it needs each, and whether 0 makes sense.
local LINES = {
  exchange = { { "latency_us", needed = true, zero = true } },
  self = { { "kib" }, { "latency_us", needed = true, zero = true }, { "run_ns", zero = true }, { "gigabytes_per_second", needed = true },
    { "node_gigabytes_per_second" } },
  shared = { { "kib" }, { "latency_us", needed = true, zero = true }, { "run_ns", zero = true }, { "gigabytes_per_second", needed = true } },
  network = { { "latency_us", needed = true, zero = true }, { "send_us", zero = true }, { "eager_kib", zero = true },
    { "gigabytes_per_second", needed = true } },
  uplink = { { "nodes", needed = true }, { "latency_us", zero = true }, { "gigabytes_per_second", needed = true } },
  device = { { "latency_us", needed = true, zero = true }, { "gigabytes_per_second", needed = true } },
  step = { { "point_ns", needed = true } },
}
local IS_BY_SIZE = { self = true, shared = true } -- of arrays: there may be several lines
local WORDS = { "exchange", "self", "shared", "network", "uplink", "device", "step" }
local MOST_UPLINKS = 16 -- as crossing.h has it

local EXAMPLE = {
  exchange = "exchange latency_us=0.4",
  self = "self latency_us=0.03 gigabytes_per_second=8",
  shared = "shared latency_us=0.5 gigabytes_per_second=6",
  network = "network latency_us=1.5 gigabytes_per_second=10",
  uplink = "uplink nodes=32 gigabytes_per_second=200",
  device = "device latency_us=9 gigabytes_per_second=200",
  step = "step point_ns=2",
}

-- What a line may have, as a help says it.
local function example(word)
  return ("write a line like: %s"):format(EXAMPLE[word])
end

local function names_of(word)
  local names = {}
  for i, figure in ipairs(LINES[word]) do names[i] = figure[1] end
  return names
end

local function figure_of(word, name)
  for _, figure in ipairs(LINES[word]) do
    if figure[1] == name then return figure end
  end
end

-- ---- one line -------------------------------------------------------------------------------------------------------------

-- "latency_us=1.5" behind `word`, into `found`; false after reporting.
local function read_figure(where, word, text, found)
  local name, value = text:match("^([^=]*)=(.*)$")
  if not name then
    report.error("HG0010", where, ("%s is no figure: there is no '=' in it"):format(report.quote(text)), example(word))
    return false
  end
  local figure = figure_of(word, name)
  if not figure then
    report.error("HG0010", where, ("'%s' has no figure %s"):format(word, report.quote(name)), report.did_you_mean(name, names_of(word)))
    return false
  end
  if found[name] then
    report.error("HG0010", where, ("%s stands twice in this line"):format(name), "leave one of them out")
    return false
  end
  local number = value:find("^%d[%d.eE+-]*$") and tonumber(value)
  if not number or number > MOST or (number == 0 and not figure.zero) then
    report.error("HG0010", where, ("%s is %s; it takes a number %s"):format(name, value == "" and "empty" or report.quote(value),
      figure.zero and "from 0" or "above 0"), example(word))
    return false
  end
  found[name] = number + 0.0
  return true
end

-- The figures of a line; nil after reporting.
local function read_line(where, word, rest)
  if not LINES[word] then
    return report.error("HG0010", where, ("a line begins with the name of a path, not with %s"):format(report.quote(word)),
      report.did_you_mean(word, WORDS))
  end
  local found = {}
  for text in rest:gmatch("%S+") do
    if not read_figure(where, word, text, found) then return nil end
  end
  for _, figure in ipairs(LINES[word]) do
    if figure.needed and not found[figure[1]] then
      return report.error("HG0010", where, ("'%s' lacks %s"):format(word, figure[1]), example(word))
    end
  end
  return found
end

-- ---- all of them ----------------------------------------------------------------------------------------------------------

-- One more line of those for arrays of several sizes; false after reporting.
local function add_size(where, list, word, found)
  local before = list[#list]
  if before and not (before.kib and found.kib) then
    report.error("HG0010", where, ("of several lines '%s' each has kib, for arrays of how many KiB it is"):format(word),
      "write kib=64 into the first, and larger numbers into the others")
    return false
  end
  if before and found.kib <= before.kib then
    report.error("HG0010", where, ("kib is %.15g, and %.15g in the line '%s' before"):format(found.kib, before.kib, word),
      "let kib rise from line to line")
    return false
  end
  list[#list + 1] = found
  return true
end

-- One more line of those for what so many nodes share; false after reporting.
local function add_uplink(where, list, found)
  local before = list[#list]
  local nodes = math.tointeger(found.nodes)
  if not nodes then
    report.error("HG0010", where, ("nodes is %.15g; it takes a whole number from 1"):format(found.nodes), example "uplink")
    return false
  end
  if before and (nodes <= before.nodes or nodes % before.nodes ~= 0) then
    report.error("HG0010", where, ("nodes is %d, and %d in the line 'uplink' before"):format(nodes, before.nodes),
      ("a switch has whole switches below it: say nodes=%d, or another multiple"):format(2 * before.nodes))
    return false
  end
  if #list == MOST_UPLINKS then
    report.error("HG0010", where, ("a machine file has %d lines 'uplink' at most"):format(MOST_UPLINKS), "leave some of them out")
    return false
  end
  found.nodes = nodes
  list[#list + 1] = found
  return true
end

local function add(where, out, word, found)
  if word == "uplink" then
    out.uplink = out.uplink or {}
    return add_uplink(where, out.uplink, found)
  end
  if IS_BY_SIZE[word] then
    out[word] = out[word] or {}
    return add_size(where, out[word], word, found)
  end
  if out[word] then
    report.error("HG0010", where, ("'%s' has a line already"):format(word), "leave one of them out")
    return false
  end
  out[word] = found
  return true
end

local function refuse_head(where, line)
  local version = line:match("^halogen%-machine%s+(%d+)$")
  if version then
    return report.error("HG0010", where, ("this is version %s of machine files; this halogen reads version 1"):format(version),
      "measure again with ./dev bench --machine FILE")
  end
  return report.error("HG0010", where, ("a machine file begins with the line '%s'"):format(HEAD),
    "write that line, or let ./dev bench --machine FILE write the file")
end

-- Lines without comments and what surrounds them: a list of { number, text }.
local function lines_of(text)
  local out, number = {}, 0
  for line in (text .. "\n"):gmatch("([^\n]*)\n") do
    number = number + 1
    local bare = line:gsub("#.*", ""):match("^%s*(.-)%s*$")
    if bare ~= "" then out[#out + 1] = { number, bare } end
  end
  return out
end

-- nil after reporting.  file: its name; text: what it holds.
function machine.read(file, text)
  local lines, out = lines_of(text), { file = file }
  if #lines == 0 or lines[1][2]:gsub("%s+", " ") ~= HEAD then
    return refuse_head({ file = file, line = #lines > 0 and lines[1][1] or 1 }, #lines > 0 and lines[1][2] or "")
  end
  if #lines > MOST_LINES then
    return report.error("HG0010", { file = file, line = lines[MOST_LINES + 1][1] }, ("a machine file has %d lines at most"):format(MOST_LINES))
  end
  for i = 2, #lines do
    local where, word, rest = { file = file, line = lines[i][1] }, lines[i][2]:match("^(%S+)(.*)$")
    local found = read_line(where, word, rest)
    if not found or not add(where, out, word, found) then return nil end
  end
  if not out.self then
    return report.error("HG0010", { file = file, line = lines[#lines][1] }, "there is no line 'self': how fast is a rank in its own memory?",
      example("self"))
  end
  return out
end

-- Tells that the file lacks a path which an exchange takes.
function machine.lacks(found, path, exchange)
  report.error("HG0010", nil, ("exchange %s takes the path '%s', of which %s says nothing"):format(exchange, path, found.file), example(path))
end

return machine
