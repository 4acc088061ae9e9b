-- What `halogen explain` is asked: the options, read and compared with the spec.
--
-- A question is { cells = { {…} per tile }, ranks = a list, parts = { {…} per tile, 0: to choose }, rank =, per_node = ranks of
-- a node or nil: all share one, schedule = as in hx_options, given = whether --parts was }.

local report = require "base.report"

local question = {}

local MOST_CELLS, MOST_RANKS, MOST_SWEPT, MOST_LINKED = 1000000000, 10000000, 64, 256

local function refuse(message, help)
  report.error("HG0010", nil, message, help)
end

local function whole(text)
  return text:find("^%d+$") and math.tointeger(tonumber(text)) or nil
end

-- A whole number that an option takes; nil after reporting.
local function number(option, text, least, most, help)
  local value = whole(text)
  if value and value >= least and value <= most then return value end
  local given = text == "" and "lacks a number" or ("is '%s'"):format(text)
  refuse(("%s %s; it takes a whole number from %d to %d"):format(option, given, least, most), help)
end

-- ---- lists of numbers, one for each axis --------------------------------------------------------------------------------

local function numbers(option, text, least, most, help)
  local out = {}
  for word in (text .. ","):gmatch("([^,]*),") do
    local value = number(option, word, least, most, help)
    if not value then return nil end
    out[#out + 1] = value
  end
  return out
end

local function axes_text(tables)
  return table.concat(tables.axis, ",")
end

-- "96,96,48", or with "/" between tiles: one list for each tile.
local function lists(tables, option, text, least, most, help)
  local out = {}
  for word in (text .. "/"):gmatch("([^/]*)/") do
    local list = numbers(option, word, least, most, help)
    if not list then return nil end
    if #list ~= tables.axes then
      return refuse(("%s has %d number%s, '%s'; the grid has %d ax%s, %s"):format(option, #list, #list == 1 and "" or "s", word,
        tables.axes, tables.axes == 1 and "is" or "es", axes_text(tables)), help)
    end
    out[#out + 1] = list
  end
  if #out > 1 and #out ~= tables.tiles then
    return refuse(("%s is given for %d tiles; the grid has %d"):format(option, #out, tables.tiles),
      "give one list for all tiles, or one for each, with / between them")
  end
  for t = #out + 1, tables.tiles do out[t] = out[1] end
  return out
end

-- ---- cells --------------------------------------------------------------------------------------------------------------

local function cells_example(tables)
  local example = {}
  for a, fixed in ipairs(tables.cells) do example[a] = fixed > 0 and fixed or 96 end
  return ("say --cells %s: the cells along %s%s"):format(table.concat(example, ","), axes_text(tables),
    tables.tiles > 1 and ", of all tiles or, with / between them, of each" or "")
end

local function are_fixed(tables)
  for _, fixed in ipairs(tables.cells) do
    if fixed == 0 then return false end
  end
  return true
end

local function check_fixed(tables, cells)
  for t, list in ipairs(cells) do
    for a, fixed in ipairs(tables.cells) do
      if fixed > 0 and list[a] ~= fixed then
        return refuse(("--cells has %d along %s%s; the spec fixes %d"):format(list[a], tables.axis[a],
          tables.tiles > 1 and (" of tile %d"):format(t - 1) or "", fixed), ("say %d there, or change the spec"):format(fixed))
      end
    end
  end
  return cells
end

local function read_cells(tables, options)
  if options.cells then
    local cells = lists(tables, "--cells", options.cells, 1, MOST_CELLS, cells_example(tables))
    return cells and check_fixed(tables, cells)
  end
  if not are_fixed(tables) then return refuse("how many cells has the grid?", cells_example(tables)) end
  local cells = {}
  for t = 1, tables.tiles do cells[t] = tables.cells end
  return cells
end

-- ---- ranks --------------------------------------------------------------------------------------------------------------

local RANKS_HELP = "say --ranks 4, --ranks 1,2,3 or --ranks 1..4096, which doubles them"

local function doubled(first, last)
  local out, ranks = {}, first
  while ranks < last do
    out[#out + 1] = ranks
    ranks = 2 * ranks
  end
  out[#out + 1] = last
  return out
end

local function read_ranks(options)
  if not options.ranks then return refuse("on how many ranks?", RANKS_HELP) end
  local from, to = options.ranks:match("^(.-)%.%.(.*)$")
  if not from then
    local list = numbers("--ranks", options.ranks, 1, MOST_RANKS, RANKS_HELP)
    if list and #list > MOST_SWEPT then
      return refuse(("--ranks has %d numbers; it takes %d at most"):format(#list, MOST_SWEPT), RANKS_HELP)
    end
    return list
  end
  local first = number("--ranks", from, 1, MOST_RANKS, RANKS_HELP)
  local last = first and number("--ranks", to, 1, MOST_RANKS, RANKS_HELP)
  if not last then return nil end
  if last < first then
    return refuse(("--ranks runs from %d to %d"):format(first, last), ("say --ranks %d..%d"):format(last, first))
  end
  return doubled(first, last)
end

local function read_rank(options, ranks)
  if not options.rank then return 0 end
  if #ranks > 1 then return refuse("--rank shows one rank, and --ranks has several numbers", "leave one of them out") end
  return number("--rank", options.rank, 0, ranks[1] - 1, ("ranks of %d count from 0"):format(ranks[1]))
end

local function check_links(options, ranks)
  if not options.links then return true end
  if #ranks > 1 then return refuse("--links is of one number of ranks, and --ranks has several", "leave one of them out") end
  if ranks[1] <= MOST_LINKED then return true end
  refuse(("--links lists all ranks, of %d at most, and there are %d"):format(MOST_LINKED, ranks[1]), "leave it out: --rank R shows one")
end

-- ---- parts --------------------------------------------------------------------------------------------------------------

-- Of every tile: to choose along the axes that the spec decomposes.
local function free_parts(tables)
  local list, parts = {}, {}
  for a, decomposed in ipairs(tables.decomposed) do list[a] = decomposed == 1 and 0 or 1 end
  for t = 1, tables.tiles do parts[t] = list end
  return parts
end

local function read_parts(tables, options)
  if not options.parts then return free_parts(tables) end
  local help = ("say --parts %s: parts along %s, 0 where halogen is to choose"):format(
    ("0,"):rep(tables.axes):sub(1, -2), axes_text(tables))
  local parts = lists(tables, "--parts", options.parts, 0, MOST_RANKS, help)
  for _, list in ipairs(parts or {}) do
    for a, n in ipairs(list) do
      if tables.decomposed[a] == 0 and n ~= 1 then
        return refuse(("--parts has %d along %s, which the spec does not decompose"):format(n, tables.axis[a]),
          ("say 1 there, or list %s as decomposed in the spec"):format(tables.axis[a]))
      end
    end
  end
  return parts
end

-- ---- all ----------------------------------------------------------------------------------------------------------------

-- nil after reporting.
function question.read(tables, options)
  local cells = read_cells(tables, options)
  local ranks = cells and read_ranks(options)
  local parts = ranks and read_parts(tables, options)
  local rank = parts and check_links(options, ranks) and read_rank(options, ranks)
  if not rank then return nil end
  local per_node
  if options.node then
    per_node = number("--node", options.node, 1, MOST_RANKS, "say --node 32: so many ranks share a node")
    if not per_node then return nil end
  end
  return { cells = cells, ranks = ranks, parts = parts, given = options.parts ~= nil, rank = rank, per_node = per_node,
    schedule = options.schedule or "auto" }
end

return question
