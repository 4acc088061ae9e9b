-- Cuts tile links for given extents and cuts, point by point: an oracle for what hx_links() reports.
--
-- It shares nothing with the runtime, which cuts boxes.  As a program:
--
--   lua5.4 cut.lua LINKS CUTS
--
-- LINKS: a file with the output of `halogen --dump links` (its format: gen/lua/emit/dump.lua).
-- CUTS: a file with one line per tile and axis, counted from 0, with the cuts from 0 to the cells of the tile:
--
--   tile 0 axis 0 cuts 0 3 7
--
-- Output: one line for every ghost point that an exchange claims for some block, and every owned point that it rewrites,
-- in the order exchange, field (layout order), tile, block (by its part along each axis, last axis fastest), direction
-- (order of the exchange), point (last axis fastest, rewritten ones last):
--
--   exchange E field F tile T block B direction D … point I … <- tile T block B field F point I … sign S
--
-- or, instead of what follows the arrow, `untouched`, or `refused` where the tile links lead into a wall on the way,
-- because the width is larger than a tile that is not Cartesian: create must refuse such extents.  Everything is counted
-- from 0; points are indices in the block.
--
-- As a module: cut.parse(text) -> links, cut.cuts(text) -> cuts, cut.each(links, cuts, visit), and cut.source.

local cut = {}

-- ---- reading --------------------------------------------------------------------------------------------------------

local function words_of(line)
  local words = {}
  for word in line:gmatch("%S+") do words[#words + 1] = math.tointeger(word) or word end
  return words
end

-- `count` words after the first occurrence of `name`; without count, all that are numbers.
local function after(words, name, count)
  for i, word in ipairs(words) do
    if word == name then
      local list = {}
      for k = i + 1, count and i + count or #words do
        if type(words[k]) ~= "number" then break end
        list[#list + 1] = words[k]
      end
      return list
    end
  end
end

local reading = {}

function reading.axes(links, words) links.axes = #words - 1 end

function reading.blocks(links, words) links.first_fastest = words[2] == "first-fastest" end

function reading.tiles(links, words) links.tiles = words[2] end

function reading.positions(links, words)
  links.positions[words[2]] = { extra = after(words, "extra"), links = {}, rewrites = {} }
  links.last_positions = links.positions[words[2]]
end

local function link_of(links, words)
  local numbers, map = after(words, "map"), {}
  for s = 1, links.axes do map[s] = { table.unpack(numbers, 5 * s - 4, 5 * s) } end
  return {
    tile = after(words, "tile", 1)[1], source = after(words, "source", 1)[1],
    direction = after(words, "direction", links.axes), map = map,
    component = after(words, "component", 1)[1], sign = after(words, "sign", 1)[1],
  }
end

function reading.link(links, words)
  table.insert(links.last_positions.links, link_of(links, words))
end

function reading.rewrite(links, words)
  local rewrite = link_of(links, words)
  rewrite.lo, rewrite.hi = after(words, "lo"), after(words, "hi")
  table.insert(links.last_positions.rewrites, rewrite)
end

function reading.field(links, words)
  links.fields[words[2]] = { positions = links.positions[after(words, "positions", 1)[1]], vector = after(words, "vector") }
end

function reading.exchange(links, words)
  links.last_exchange = { number = words[2], directions = {}, carries = {} }
  table.insert(links.exchanges, links.last_exchange)
end

function reading.direction(links, words)
  table.insert(links.last_exchange.directions, after(words, "direction"))
end

function reading.carries(links, words)
  table.insert(links.last_exchange.carries, { field = words[2], lo = after(words, "lo"), hi = after(words, "hi") })
end

function reading.picks(links, words)
  local carried = links.last_exchange.carries[#links.last_exchange.carries]
  carried.picks = carried.picks or {}
  carried.picks[words[2] + 1] = after(words, "components")
end

function cut.parse(text)
  local links = { positions = {}, fields = {}, exchanges = {} }
  for line in text:gmatch("[^\n]+") do
    local words = words_of(line)
    if reading[words[1]] then reading[words[1]](links, words) end
  end
  return links
end

-- cuts[tile][axis] = { 0, …, cells }, tile from 0, axis from 1.
function cut.cuts(text)
  local cuts = {}
  for line in text:gmatch("[^\n]+") do
    local words = words_of(line)
    local tile, axis = after(words, "tile", 1)[1], after(words, "axis", 1)[1]
    cuts[tile] = cuts[tile] or {}
    cuts[tile][axis + 1] = after(words, "cuts")
  end
  return cuts
end

-- ---- from a point outside a tile to a point inside one ---------------------------------------------------------------

local function outside(positions, cells, point)
  local direction, any = {}, false
  for a, index in ipairs(point) do
    direction[a] = index < 0 and -1 or index >= cells[a] + positions.extra[a] and 1 or 0
    any = any or direction[a] ~= 0
  end
  return any and direction
end

-- The rewrite of an owned point, or nil.
local function rewrite_for(positions, tile, cells, point)
  for _, rewrite in ipairs(positions.rewrites) do
    local inside = rewrite.tile == tile
    for a, index in ipairs(point) do
      local function bound(list) return (list[2 * a - 1] * cells[a] + list[2 * a]) // 2 end
      inside = inside and index >= bound(rewrite.lo) and index < bound(rewrite.hi)
    end
    if inside then return rewrite end
  end
end

local function link_for(positions, tile, direction)
  for _, link in ipairs(positions.links) do
    local same = link.tile == tile
    for a, side in ipairs(direction) do same = same and link.direction[a] == side end
    if same then return link end
  end
end

-- More than any width.
local most_hops = 1000

-- Follows links from a point of a field, counted in the tile, to one that is owned and not rewritten.  cells[tile][axis].
-- Returns { tile, field, point, sign, from = { axis of the first point for each axis of the last }, turn = { ±1, … } },
-- or nil and "untouched", "refused", or "endless" where wrong links never lead inside.
function cut.source(links, cells, field, tile, point)
  local at = { tile = tile, field = field, point = point, sign = 1, from = {}, turn = {} }
  for a in ipairs(point) do at.from[a], at.turn[a] = a, 1 end
  for hop = 1, most_hops do
    local positions = links.fields[at.field].positions
    local direction = outside(positions, cells[at.tile], at.point)
    local link
    if direction then
      link = link_for(positions, at.tile, direction)
    else
      link = rewrite_for(positions, at.tile, cells[at.tile], at.point)
      if not link then return at end
    end
    if not link then return nil, hop == 1 and "untouched" or "refused" end
    local next_at = { tile = link.source, sign = at.sign * link.sign, point = {}, from = {}, turn = {} }
    next_at.field = link.component < 0 and at.field or links.fields[at.field].vector[link.component + 1]
    for s, m in ipairs(link.map) do
      local a = m[1] + 1
      next_at.point[s] = m[2] * at.point[a] + m[3] * cells[at.tile][a] + m[4] * cells[link.source][s] + m[5]
      next_at.from[s], next_at.turn[s] = at.from[a], m[2] * at.turn[a]
    end
    at = next_at
  end
  return nil, "endless"
end

-- ---- blocks ---------------------------------------------------------------------------------------------------------

local function part_of(cuts, cell)
  for part = 1, #cuts - 1 do
    if cell < cuts[part + 1] then return part end
  end
end

-- The cell that a point of the source goes with, along axis s.  Where both faces are stored:
-- along the ghost box a point goes with the cell above it in the destination, the last one of the box with the cell
-- below it; across the box it goes with the cell above it in the source, the last one of the tile with the last cell.
-- ghost: { direction =, point =, last = the last one of the block }.
local function cell_of(at, s, extra, cells, ghost)
  local index = at.point[s]
  if extra == 0 then return index end
  local a = at.from[s]
  if ghost.direction[a] ~= 0 then return math.min(index, cells - 1) end
  local above = (ghost.point[a] < ghost.last[a]) == (at.turn[s] == 1)
  return math.min(math.max(above and index or index - 1, 0), cells - 1)
end

-- The number of a block in its tile, from 0, by its part along each axis, from 1.
local function number_of(links, axes_cuts, part)
  local block, step = 0, 1
  for k = 1, links.axes do
    local s = links.first_fastest and k or links.axes + 1 - k
    block, step = block + (part[s] - 1) * step, step * (#axes_cuts[s] - 1)
  end
  return block
end

-- at, in terms of blocks: block number and index in the block.
local function locate(links, cuts, cells, at, ghost)
  local extra = links.fields[at.field].positions.extra
  local part, index = {}, {}
  for s = 1, links.axes do
    local along = cuts[at.tile][s]
    part[s] = part_of(along, cell_of(at, s, extra[s], cells[at.tile][s], ghost))
    index[s] = at.point[s] - along[part[s]]
  end
  return number_of(links, cuts[at.tile], part), index
end

-- Calls visit(index) for every index of a box, the last axis fastest.
local function each_index(first, last, visit, a, index)
  a, index = a or 1, index or {}
  if a > #first then return visit(index) end
  for i = first[a], last[a] do
    index[a] = i
    each_index(first, last, visit, a + 1, index)
  end
end

local function cells_of(cuts)
  local cells = {}
  for tile, axes in pairs(cuts) do
    cells[tile] = {}
    for a, along in ipairs(axes) do cells[tile][a] = along[#along] end
  end
  return cells
end

-- First and last index, in the block, of the ghost box in a direction.
local function ghost_box(item, direction, points)
  local first, last = {}, {}
  for a, side in ipairs(direction) do
    first[a] = side < 0 and -item.lo[a] or side > 0 and points[a] or 0
    last[a] = side < 0 and -1 or side > 0 and points[a] + item.hi[a] - 1 or points[a] - 1
  end
  return first, last
end

local function each_block(links, axes_cuts, visit)
  local first, last = {}, {}
  for a, along in ipairs(axes_cuts) do first[a], last[a] = 1, #along - 1 end
  each_index(first, last, function(part) visit(number_of(links, axes_cuts, part), part) end)
end

local function item_reaches(item, direction)
  for a, side in ipairs(direction) do
    if side < 0 and item.lo[a] == 0 or side > 0 and item.hi[a] == 0 then return false end
  end
  return true
end

-- The owned points of a block, counted in it, that are rewritten by who reaches in a direction.  block: { tile =, cells = of
-- that, corner =, points = }.
local function each_rewritten(positions, block, direction, visit)
  local zero, last = {}, {}
  for a, n in ipairs(block.points) do zero[a], last[a] = 0, n - 1 end
  each_index(zero, last, #positions.rewrites == 0 and function() end or function(index)
    local in_tile = {}
    for a, i in ipairs(index) do in_tile[a] = i + block.corner[a] end
    local rewrite = rewrite_for(positions, block.tile, block.cells, in_tile)
    if rewrite and table.concat(rewrite.direction, ",") == table.concat(direction, ",") then visit(index) end
  end)
end

-- visit(ghost, source, why): ghost = { exchange, field, tile, block, direction, point, components = those that are filled,
-- where some are not };
-- source = { tile, block, field, point, sign }, or nil and why = "untouched" or "refused".
function cut.each(links, cuts, visit)
  local cells = cells_of(cuts)
  local function visit_block(exchange, item, tile, block, part)
    local extra = links.fields[item.field].positions.extra
    local corner, points, last_point = {}, {}, {}
    for a, p in ipairs(part) do
      corner[a] = cuts[tile][a][p]
      points[a] = cuts[tile][a][p + 1] - corner[a] + extra[a]
      last_point[a] = points[a] - 1
    end
    for d, direction in ipairs(exchange.directions) do
      local first, last = ghost_box(item, direction, points)
      local picked = item.picks and (item.picks[d] or {})
      local function visit_point(index)
        local point, in_tile = { table.unpack(index) }, {}
        for a, i in ipairs(point) do in_tile[a] = i + corner[a] end
        local ghost = { exchange = exchange.number, field = item.field, tile = tile, block = block,
          direction = direction, point = point, components = picked }
        local at, why = cut.source(links, cells, item.field, tile, in_tile)
        if not at then return visit(ghost, nil, why) end
        local source_block, source_point = locate(links, cuts, cells, at, { direction = direction, point = point, last = last_point })
        visit(ghost, { tile = at.tile, block = source_block, field = at.field, point = source_point, sign = at.sign })
      end
      if not picked or #picked > 0 then each_index(first, last, visit_point) end
      if item_reaches(item, direction) then
        local here = { tile = tile, cells = cells[tile], corner = corner, points = points }
        each_rewritten(links.fields[item.field].positions, here, direction, visit_point)
      end
    end
  end
  for _, exchange in ipairs(links.exchanges) do
    for _, item in ipairs(exchange.carries) do
      for tile = 0, links.tiles - 1 do
        each_block(links, cuts[tile], function(block, part) visit_block(exchange, item, tile, block, part) end)
      end
    end
  end
end

-- ---- the program ----------------------------------------------------------------------------------------------------

local function read_file(path)
  local file <close> = assert(io.open(path, "rb"))
  return file:read("a")
end

if arg and arg[0] and arg[0]:match("[^/]*$") == "cut.lua" then
  cut.each(cut.parse(read_file(arg[1])), cut.cuts(read_file(arg[2])), function(ghost, source, why)
    local from = source and ("tile %d block %d field %d point %s sign %d"):format(source.tile, source.block, source.field,
      table.concat(source.point, " "), source.sign) or why
    io.write(("exchange %d field %d tile %d block %d direction %s point %s <- %s\n"):format(ghost.exchange, ghost.field,
      ghost.tile, ghost.block, table.concat(ghost.direction, " "), table.concat(ghost.point, " "), from))
  end)
end

return cut
