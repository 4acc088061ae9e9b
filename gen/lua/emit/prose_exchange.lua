-- Sentences of the emitted header about what an exchange does beyond filling boxes: stencils, sums, walls.

local boundary = require "plan.boundary"
local corners = require "plan.corners"
local fold = require "grids.fold"
local memory = require "model.memory"
local operations = require "model.operations"
local shared = require "plan.shared"
local wires = require "model.wires"

local prose_exchange = {}

-- "x", "x and y", "x, y and z"
local function enumerate(words)
  if #words < 2 then return words[1] or "" end
  return table.concat(words, ", ", 1, #words - 1) .. " and " .. words[#words]
end

-- "below x and above y"
local function direction_text(grid, direction)
  local words = {}
  for a, side in ipairs(direction) do
    if side ~= 0 then words[#words + 1] = (side < 0 and "below " or "above ") .. grid.axes[a] end
  end
  return enumerate(words)
end

-- Of a list of directions the first few are named.
local most_named = 6

-- axes: those across which the exchange has a width.
function prose_exchange.stencil(plan, planned, axes)
  local stencil = planned.exchange.stencil
  if type(stencil) == "table" then
    local names = {}
    for d, direction in ipairs(planned.directions) do names[d] = direction_text(plan.model.grid, direction) end
    return #names <= most_named and table.concat(names, "; ") or ("a list of %d directions"):format(#names)
  end
  local faces = "faces across " .. enumerate(axes)
  if #axes == 1 then return faces end
  if stencil == "star" then return "star: " .. faces end
  return "box: " .. faces .. (#axes == 2 and ", with the corners between them" or ", with edges and corners")
end

-- A list that is too long for one line, in full.
function prose_exchange.direction_lines(plan, planned)
  local lines = {}
  local long = type(planned.exchange.stencil) == "table" and #planned.directions > most_named
  for _, direction in ipairs(long and planned.directions or {}) do
    lines[#lines + 1] = "  " .. direction_text(plan.model.grid, direction)
  end
  return lines
end

-- ---- memory of devices ----------------------------------------------------------------------------------------------

-- Of an exchange that is not on the host alone: which fields lie where.
function prose_exchange.memories(planned)
  local host, device = {}, {}
  for _, item in ipairs(planned.exchange.items) do
    table.insert(memory.on_device(item.field) and device or host, item.field.name)
  end
  local function listed(names)
    return #names <= most_named and table.concat(names, ", ") or #names .. " fields"
  end
  if #device == 0 then return {} end
  if #host == 0 then return { "In the memory of the device." } end
  return { ("In the memory of the device: %s; in that of the host: %s."):format(listed(device), listed(host)) }
end

-- ---- formats of numbers --------------------------------------------------------------------------------------------

-- Fields whose numbers travel shorter than they are.
function prose_exchange.formats(planned)
  local by_format, lines = {}, {}
  for _, item in ipairs(planned.exchange.items) do
    local names = by_format[item.wire or false] or {}
    names[#names + 1] = item.field.name
    by_format[item.wire or false] = names
  end
  local rounds, marks = false, false
  for _, wire in ipairs(wires.names) do
    local names, format = by_format[wire], wires.formats[wire]
    local listed = names and (#names <= most_named and table.concat(names, ", ") or #names .. " fields")
    if names and format.whole then
      marks = true
      lines[#lines + 1] = ("Numbers of %s travel as %s: as they are from %d to %d."):format(listed, wire, -format.most, format.most)
    elseif names then
      rounds = true
      lines[#lines + 1] = ("Numbers of %s travel as %s: rounded to nearest, by %.1e of a number at most from %s to %s."):format(
        listed, wire, 2.0 ^ -format.digits, format.least, format.most)
    end
  end
  if marks then
    lines[#lines + 1] = "Where one does not fit finish fails with HX_ERR_ARGUMENT, on the rank that owns it and on those that it is sent to."
  end
  if rounds then
    lines[#lines + 1] = planned.exchange.operation == "add"
      and "What a rank adds to its own points is rounded, too: results do not depend on which rank has which block."
      or "Ghost points that a rank fills from its own points are rounded, too: results do not depend on which rank has which block."
  end
  return lines
end

-- ---- owned points that are rewritten ---------------------------------------------------------------------------------

-- What becomes of points that are sent back to others.
local RETURNS = {
  add = { verb = "Adds", owned = "adds them to those" },
  min = { verb = "Sends", owned = "those take the minimum" },
  max = { verb = "Sends", owned = "those take the maximum" },
}

local function fate_of(planned)
  return planned.exchange.keeps and "leaves them as they are" or "sets them to zero"
end

local function rewritten_boxes(plan, planned)
  local lines = {}
  for _, entry in ipairs(planned.rewritten) do
    local names = {}
    for i, field in ipairs(entry.fields) do names[i] = field.name end
    lines[#lines + 1] = ("    %s: %s"):format(#names <= most_named and table.concat(names, ", ") or #names .. " fields",
      fold.words(plan.model.grid, entry.box))
  end
  return lines
end

function prose_exchange.rewritten(plan, planned)
  if #planned.rewritten == 0 or planned.shared then return {} end
  local returns, what = operations.returns(planned.exchange), RETURNS[planned.exchange.operation]
  local lines = {
    (returns and what.verb or "Rewrites") .. " owned points, too, that lie where others do, on the fold or beyond it, counted from 0 in the grid (n_x:",
    returns and ("its cells along x; halves are rounded down): %s, and %s:"):format(what.owned, fate_of(planned))
      or "its cells along x; halves are rounded down):",
  }
  local boxes = rewritten_boxes(plan, planned)
  table.move(boxes, 1, #boxes, #lines + 1, lines)
  if not returns then
    lines[#lines + 1] = "Between start and finish do not read them: they are written then."
  end
  return lines
end

-- ---- shared points ------------------------------------------------------------------------------------------------

local DECIDES = {
  greater = { "The block of which they are the low faces decides: the greater index wins.  At edges and corners it is the block",
    "for which that holds along most axes; of several such blocks the owner, in the lowest tile, at the lowest place",
    "there." },
  owner = { "The owner decides.  It is the block of which the point is the low face, at the lowest place of the lowest tile",
    "that has the point." },
  mean = { "They become the mean: first of the blocks that have the point at one place of a tile, then of the places, summed",
    "in the order of tiles and places.  All of them get the same bits.  While the blocks of a tile agree with each other,",
    "the mean is the same for every partition." },
  sum = { "They become the sum of what all these blocks hold, added in the order of tiles, of places in them and of blocks there.",
    "All of them get the same bits, whatever the ranks and the transport.  The exchange is its own transpose." },
}

-- What is said of places: the places of a tile that is not turned onto itself differ by whole extents.
local function order_of_places(grid)
  if not (grid.kind == "tiles" or grid.fold) then return "Places are compared by index." end
  return "Places are compared axis by axis: the low end of the tile comes first, then what has the lower index."
end

-- What an exchange of shared points does, in short.
function prose_exchange.shared_in_short(planned)
  if not planned.shared then return nil end
  local rule = shared.combines(planned.shared) and "the " .. planned.shared or ("the %s decides"):format(
    planned.shared == "greater" and "greater index" or "owner")
  return "points that several blocks own: " .. rule
end

-- Owned points that lie on others because the grid is folded.
local function folded_lines(plan, planned)
  if #planned.rewritten == 0 then return {} end
  local lines = {
    "On a fold, and beyond it, points that lie where others do are points of one place, too, turned onto each other:",
    shared.combines(planned.shared) and "these with the others, counted from 0 in the grid (n_x: its cells along x; halves are rounded down):"
      or "these with the others, and they never decide, counted from 0 in the grid (n_x: its cells along x; halves are rounded down):",
  }
  local boxes = rewritten_boxes(plan, planned)
  return table.move(boxes, 1, #boxes, #lines + 1, lines)
end

-- The least or the greatest of all, and what is said of numbers that compare in a way of their own.
local EXTREME = { min = "minimum", max = "maximum" }
local WINS = "0 is greater than -0, and NaN wins.  The order in which numbers come makes no difference."

function prose_exchange.shared(plan, planned)
  if not planned.shared then return {} end
  local operation = planned.exchange.operation
  local extreme = EXTREME[operation]
  local adds = operation == "add"
  local lines = { ((adds or planned.shared == "sum") and "Adds up points" or extreme and ("Takes the %s of points"):format(extreme)
    or "Makes points agree")
    .. " that several blocks own, on the faces where these meet.  No ghost point is touched." }
  table.move(DECIDES[planned.shared], 1, #DECIDES[planned.shared], 2, lines)
  lines[#lines + 1] = order_of_places(plan.model.grid)
  local folded = folded_lines(plan, planned)
  table.move(folded, 1, #folded, #lines + 1, lines)
  if adds then
    lines[#lines + 1] = ("Who decides gets the sum of all, and the points of the others %s.  It is summed in an order that depends"):format(
      planned.exchange.keeps and "stay as they are" or "become zero")
    lines[#lines + 1] = 'on the blocks alone.  An exchange with agree = "sum" leaves it on all of them.'
  end
  if extreme then
    lines[#lines + 1] = ("Who decides gets the %s of all, and the points of the others stay as they are."):format(extreme)
    lines[#lines + 1] = WINS
  end
  lines[#lines + 1] = "Between start and finish leave these points alone."
  return lines
end

-- ---- corners ------------------------------------------------------------------------------------------------------

-- The comment over the function that fills corners along an axis.
function prose_exchange.corners(plan, planned, fill)
  local grid, groups, index = plan.model.grid, {}, {}
  for i, item in ipairs(planned.items) do
    for _, link in ipairs(fill.links[i]) do
      local p, q = corners.axes_of(link.direction)
      local along = corners.along(item.field, fill.axis, p, q)
      local text = ("along %s%s"):format(grid.axes[along], link.component ~= 0
        and (", from %s"):format(item.field.vector.fields[link.component].name) or "")
      if not index[text] then
        index[text] = { text = text, names = {}, seen = {} }
        groups[#groups + 1] = index[text]
      end
      if not index[text].seen[i] then table.insert(index[text].names, item.field.name) end
      index[text].seen[i] = true
    end
  end
  local lines = {
    "Fills ghost points at corners where other than four tiles meet, as deep as the exchange is wide.  They come from the",
    "points beside the corner, turned about it by 90 degrees; components of vectors get their signs.  Call it after",
    "finish.  It is local, and other points stay as they are.",
  }
  if memory.carries_device(planned.exchange) then
    lines[#lines + 1] = "It runs in the stream: give it that of finish, or of unpack.  The stream may be being captured."
  end
  for _, group in ipairs(groups) do
    lines[#lines + 1] = ("    %s: %s"):format(#group.names <= most_named and table.concat(group.names, ", ")
      or #group.names .. " fields", group.text)
  end
  return lines
end

-- ---- sums -----------------------------------------------------------------------------------------------------------

function prose_exchange.sums(planned)
  local extreme = EXTREME[planned.exchange.operation]
  if extreme and not planned.shared then
    return {
      ("Takes the %s of each ghost point that has an owner and of what the owner holds; ghost points stay as they are."):format(extreme),
      WINS,
      "Between start and finish leave alone the owned points within the width, too: finish changes them.",
    }
  end
  if planned.exchange.operation ~= "add" or planned.shared then return {} end
  return {
    ("Adds each ghost point that has an owner to that owner; the ghost point %s.  The order of the"):format(
      planned.exchange.keeps and "stays as it is" or "is set to zero"),
    "sums depends on the blocks alone, not on ranks or transports.  Between start and finish leave alone the owned points",
    "within the width, too: finish changes them.",
  }
end

-- The same on lists.
function prose_exchange.listed(planned)
  local extreme = EXTREME[planned.exchange.operation]
  if extreme then
    return {
      ("Goes the other way: the points of the send lists take the %s of what they hold and of the points of their peers'"):format(extreme),
      "receive lists, which stay as they are.",
      WINS,
      "Between start and finish leave alone the points of the send lists, too: finish changes them.",
    }
  elseif planned.exchange.operation == "add" then
    return {
      ("Goes the other way: adds the points of the receive lists to those of their peers' send lists, and %s."):format(
        planned.exchange.keeps and "keeps them" or "zeroes them"),
      "Sums are made in the order of ranks, then of lists, whatever the transport.  Between start and finish leave alone",
      "the points of the send lists, too: finish changes them.",
    }
  end
  return { "The points that are received become those that their peers send; all others stay as they are." }
end

-- ---- walls ----------------------------------------------------------------------------------------------------------

local WHAT = {
  zero = "zero: 0",
  copy = "copy: the nearest owned point of the grid",
  mirror = "mirror: the mirror image",
  antimirror = "antimirror: the opposite of the mirror image",
}

-- What becomes of signs at a wall, where an exchange has fields that are more than numbers.
local function signs_at_wall(planned, word)
  if word ~= "mirror" and word ~= "antimirror" then return "" end
  local joined, apart = false, {}
  for _, item in ipairs(planned.items) do
    joined = joined or item.field.vector ~= nil
    if item.field.components and not item.field.vector then apart[#apart + 1] = item.field.name end
  end
  local text = joined and ("; a vector's component across the wall %s its sign"):format(word == "mirror" and "changes" or "keeps") or ""
  if #apart == 0 or word ~= "mirror" then return text end
  return text .. ("; components of %s keep their signs"):format(#apart <= most_named and enumerate(apart) or #apart .. " fields")
end

-- What fills the sides of walls that some width reaches: { { word, "low y, high y" }, … } in the order of the axes.
local function fills_of(plan, planned)
  local groups, index = {}, {}
  for a, name in ipairs(plan.model.grid.axes) do
    for _, side in ipairs { "lo", "hi" } do
      local word, reached = planned.boundary[side][a], false
      for _, item in ipairs(planned.items) do reached = reached or item[side][a] > 0 end
      if reached and word ~= "none" and not index[word] then
        index[word] = { word = word, sides = {} }
        groups[#groups + 1] = index[word]
      end
      if reached and word ~= "none" then table.insert(index[word].sides, (side == "lo" and "below " or "above ") .. name) end
    end
  end
  return groups
end

-- Positions at which a ghost point lies on a wall: that is below an axis for "high", above for "low".
local function on_walls(planned, word)
  for _, item in ipairs(planned.items) do
    for a, at in ipairs(item.field.at) do
      if at == "high" and item.lo[a] > 0 and planned.boundary.lo[a] == word then return true end
      if at == "low" and item.hi[a] > 0 and planned.boundary.hi[a] == word then return true end
    end
  end
  return false
end

local function copies_at_walls(planned, item)
  local copies = false
  boundary.each(planned.boundary, item, function(_, _, fill) copies = copies or fill == "copy" end)
  return copies
end

local function has_host_fields(planned)
  for _, item in ipairs(planned.items) do
    if not memory.on_device(item.field) then return true end
  end
  return false
end

-- The fills of an exchange, in short: "beyond walls: mirror below y and above y".
function prose_exchange.walls_in_short(plan, planned)
  local texts = {}
  for _, group in ipairs(fills_of(plan, planned)) do
    texts[#texts + 1] = ("%s %s"):format(group.word, enumerate(group.sides))
  end
  return #texts > 0 and table.concat(texts, "; ") or nil
end

function prose_exchange.walls(plan, planned)
  local short = prose_exchange.walls_in_short(plan, planned)
  if not short then return {} end
  local lines = { "Beyond walls, in finish, when all messages are in: " .. short .. "." }
  for _, group in ipairs(fills_of(plan, planned)) do
    if group.word == "hook" then
      local there = memory.carries_device(planned.exchange)
      lines[#lines + 1] = ("(hook: your function, given to %s_set_boundary%s before the first start%s)"):format(plan.model.name,
        there and "_on" or "", there and has_host_fields(planned) and "; for fields of the host without _on" or "")
    else
      lines[#lines + 1] = ("(%s%s)"):format(WHAT[group.word], signs_at_wall(planned, group.word))
    end
  end
  if planned.exchange.stencil == "box" and #plan.model.grid.axes > 1 then
    lines[#lines + 1] = ("Walls are filled in the order %s, each over the whole width beside it where that has been filled"):format(
      table.concat(plan.model.grid.axes, ", "))
    lines[#lines + 1] = "before, by a neighbor or beyond the wall across an earlier axis.  So corners are filled, too."
    local directed = {}
    for _, item in ipairs(planned.exchange.items) do
      if item.field.directions and copies_at_walls(planned, item) then directed[#directed + 1] = item.field.name end
    end
    if #directed > 0 then
      lines[#lines + 1] = ("(%s: copied beside owned points only, as elsewhere only some components come)"):format(
        #directed <= most_named and table.concat(directed, ", ") or #directed .. " fields with directions")
    end
  elseif #plan.model.grid.axes > 1 then
    lines[#lines + 1] = "Walls are filled beside owned points only: no edges and corners."
  end
  if on_walls(planned, "mirror") then
    lines[#lines + 1] = "A ghost point that lies on the wall is its own image: mirror leaves it as it is, but sets it to 0 for a"
    lines[#lines + 1] = "vector's component across the wall."
  end
  if on_walls(planned, "antimirror") then
    lines[#lines + 1] = "A ghost point that lies on the wall is its own image: antimirror sets it to 0, but leaves a vector's"
    lines[#lines + 1] = "component across the wall as it is."
  end
  return lines
end

-- Where points are left untouched beyond walls: facts of plan.claims.
function prose_exchange.walls_untouched(untouched)
  local texts, by_side = {}, { both = {}, lo = {}, hi = {} }
  for _, wall in ipairs(untouched) do table.insert(by_side[wall.side], wall.axis) end
  local names = { both = "the walls across ", lo = "the low walls across ", hi = "the high walls across " }
  for _, side in ipairs { "both", "lo", "hi" } do
    if #by_side[side] > 0 then texts[#texts + 1] = "beyond " .. names[side] .. enumerate(by_side[side]) end
  end
  return texts
end

return prose_exchange
