-- The proof of what couples two axes of a folded grid, for one field of one exchange: see prove.lua.
--
-- A position falls on others where the fold turns it onto them, and of each lot one is kept: the one before the line, and
-- on the line, the one on the half from the first pivot to the second.  For every ghost point that is claimed, and every
-- owned one, the way that C goes through the tables (links from outside the tile, rewrites within) must end at the point
-- that is kept, turned as often as that takes; and the boxes of rewrites must hold, once each, just those owned points
-- that are not kept.
--
-- Links and rewrites turn each axis by itself, and which of them serves a point is decided axis by axis, too.  So it is
-- enough to try all extents along one axis with few along the other.

local prove_link = require "proof.prove_link"

local prove_fold = {}

-- As in prove_link.lua, on purpose.
local FIRST = { center = 1, low = 0, high = 2, both = 0 }

-- ---- by definition ----------------------------------------------------------------------------------------------------

-- Half cells from the side to the line, and from the beginning of the axis along it to the first pivot.
local function shift(at)
  return at == "center" and 1 or 0
end

-- The position that is kept of those that a position falls on, and how often it is turned; x along the side, y across.
local function kept(fold, nx, ny, x, y)
  local line = fold.sign > 0 and 2 * ny - shift(fold.across_at) or shift(fold.across_at)
  local pivot = shift(fold.along_at)
  local behind = fold.sign * (y - line)
  x = x % (2 * nx)
  local from_pivot = (x - pivot) % (2 * nx)
  if behind > 0 or behind == 0 and from_pivot > nx then
    return (2 * pivot - x) % (2 * nx), 2 * line - y, 1
  end
  return x, y, 0
end

-- The fewest cells across the side for which what the deepest ghost point falls on is stored.
local function fewest(q)
  local fold, n = q.fold, 1
  local function is_stored(cells)
    local points = cells + prove_link.extra(q.at_y)
    local deepest = fold.sign > 0 and points - 1 + q.hi_y or -q.lo_y
    local _, y = kept(fold, 1, cells, 0, FIRST[q.at_y] + 2 * deepest)
    return y >= FIRST[q.at_y] and y <= FIRST[q.at_y] + 2 * (points - 1)
  end
  while not is_stored(n) do n = n + 1 end
  return n
end

-- ---- by the tables ----------------------------------------------------------------------------------------------------

local function side_of(index, points)
  return index < 0 and -1 or index >= points and 1 or 0
end

local function within(index, lo, hi, cells)
  return index >= (lo.halves * cells + lo.offset) // 2 and index < (hi.halves * cells + hi.offset) // 2
end

local function boxes_with(q, nx, ny, x, y)
  local found, count = nil, 0
  for _, box in ipairs(q.positions.rewrites) do
    if within(x, box.lo[q.x], box.hi[q.x], nx) and within(y, box.lo[q.y], box.hi[q.y], ny) then
      found, count = box, count + 1
    end
  end
  return found, count
end

local function link_beyond(q, x_side, y_side)
  local direction = {}
  for a = 1, q.axes do direction[a] = a == q.x and x_side or a == q.y and y_side or 0 end
  local list = q.links["1:" .. table.concat(direction, ",")]
  return list and list[1]
end

local function image(map, index, cells)
  return map.sign * index + (map.destination_cells + map.source_cells) * cells + map.offset
end

-- The owned point at which C arrives, and how often it was turned; nil: nowhere.
local function arrive(q, nx, ny, x, y)
  local turns = 0
  for _ = 1, q.most_hops do
    local x_side = side_of(x, nx + prove_link.extra(q.at_x))
    local y_side = side_of(y, ny + prove_link.extra(q.at_y))
    local inside = x_side == 0 and y_side == 0
    local box = inside and boxes_with(q, nx, ny, x, y)
    if inside and not box then return x, y, turns end
    local link = box and box.link or not inside and link_beyond(q, x_side, y_side)
    if not link then return nil end
    if link.map[q.x].sign < 0 then turns = turns + 1 end
    x, y = image(link.map[q.x], x, nx), image(link.map[q.y], y, ny)
  end
end

-- Once around the ring is the same position, but where both faces are stored its ends are two points: so that all ways lead
-- to the same of them, links go back by one turn of the ring, or turn about the pivots next to where they begin.
local function check_ring(q, link)
  local map, side = link.map[q.x], link.direction[q.x]
  local rings, offset = -side, 0
  if map.sign < 0 then rings, offset = 1 + side, shift(q.fold.along_at) - FIRST[q.at_x] end
  if map.destination_cells + map.source_cells ~= rings or map.offset ~= offset then
    return ("a link goes around %d times along %s, and %d points; it should be %d times and %d"):format(
      map.destination_cells + map.source_cells, q.names[1], map.offset, rings, offset)
  end
end

-- ---- the two compared -------------------------------------------------------------------------------------------------

-- What is wrong with a point, in words, or nil.
local function check_point(q, nx, ny, x, y)
  local at_x, at_y = FIRST[q.at_x] + 2 * x, FIRST[q.at_y] + 2 * y
  local wanted_x, wanted_y, wanted_turns = at_x % (2 * nx), at_y, 0
  if q.folds then wanted_x, wanted_y, wanted_turns = kept(q.fold, nx, ny, at_x, at_y) end
  local function text(what)
    return ("with %d cells along %s and %d along %s, point (%d, %d) %s"):format(nx, q.names[1], ny, q.names[2], x, y, what)
  end
  local inside = side_of(x, nx + prove_link.extra(q.at_x)) == 0 and side_of(y, ny + prove_link.extra(q.at_y)) == 0
  if inside then
    local _, boxes = boxes_with(q, nx, ny, x, y)
    local wanted = (wanted_turns > 0) and 1 or 0
    if boxes ~= wanted then return text(("is rewritten %d times; it should be %d"):format(boxes, wanted)) end
  end
  local found_x, found_y, turns = arrive(q, nx, ny, x, y)
  if not found_x then return text("comes from nowhere") end
  if (FIRST[q.at_x] + 2 * found_x - wanted_x) % (2 * nx) ~= 0 or FIRST[q.at_y] + 2 * found_y ~= wanted_y
    or turns % 2 ~= wanted_turns then
    return text(("comes from point (%d, %d), turned %d times; it should be position (%d, %d) in half cells, turned %d times")
      :format(found_x, found_y, turns, wanted_x, wanted_y, wanted_turns))
  end
end

local function first_and_last(side, points, lo, hi)
  if side < 0 then return -lo, -1 end
  if side > 0 then return points, points + hi - 1 end
  return 0, points - 1
end

-- The numbers from first to last that lie near one of some places.
local function near(first, last, places)
  local list, seen = {}, {}
  for _, place in ipairs(places) do
    for index = math.max(first, place - 2), math.min(last, place + 2) do
      if not seen[index] then list[#list + 1] = index end
      seen[index] = true
    end
  end
  return list
end

-- Points of the parts of the halo that are claimed, and owned ones, in the columns where something begins or ends or is
-- turned onto itself, and in rows near the side, or in all.
local function check_extents(q, nx, ny, all_rows)
  local columns = { -q.lo_x, 0, nx // 2, nx, nx + q.hi_x }
  local side = q.fold.sign > 0 and ny + prove_link.extra(q.at_y) or 0
  for _, part in ipairs(q.parts) do
    local y_first, y_last = first_and_last(part[2], ny + prove_link.extra(q.at_y), q.lo_y, q.hi_y)
    if not all_rows then y_first, y_last = math.max(y_first, side - 2), math.min(y_last, side + 1) end
    local x_first, x_last = first_and_last(part[1], nx + prove_link.extra(q.at_x), q.lo_x, q.hi_x)
    for _, x in ipairs(near(x_first, x_last, columns)) do
      for y = y_first, y_last do
        local wrong = check_point(q, nx, ny, x, y)
        if wrong then return wrong end
      end
    end
  end
end

-- Beyond the fewest cells across the side, all that is said of rows goes with the side, which two extents would show.
local few = 4

local function check_points(q)
  local least = fewest(q)
  for ny = least, least + few - 1 do
    for nx = few - 1, few do
      local wrong = check_extents(q, nx, ny, true)
      if wrong then return wrong end
    end
  end
  for nx = 1, 2 * math.max(q.lo_x, q.hi_x, few) + 2 do
    local wrong = check_extents(q, nx, least, false)
    if wrong then return wrong end
  end
end

-- Shared points: a link across the fold leads from each row to the one that it lies on, if that is there or not; one around the
-- ring to the same row.  Along the side what check_ring() says of it is enough.
local function check_rows(q, link)
  for ny = 1, few do
    local line = q.fold.sign > 0 and 2 * ny - shift(q.fold.across_at) or shift(q.fold.across_at)
    for y = 0, ny + prove_link.extra(q.at_y) - 1 do
      local at, found = FIRST[q.at_y] + 2 * y, FIRST[q.at_y] + 2 * image(link.map[q.y], y, ny)
      local wanted = link.direction[q.y] ~= 0 and 2 * line - at or at
      if found ~= wanted then
        return ("with %d cells along %s, row %d lies on what is at %d half cells; it should be at %d"):format(ny, q.names[2], y, found,
          wanted)
      end
    end
  end
end

-- What a rewrite says beyond the two axes of the fold.
local function check_rewrite(q, box)
  if box.link.tile ~= 1 then return "a rewrite is of another tile" end
  for a = 1, q.axes do
    if box.link.direction[a] ~= (a == q.y and q.fold.sign or 0) then return "a rewrite has another direction than the fold" end
    local lo, hi = box.lo[a], box.hi[a]
    if a ~= q.x and a ~= q.y and (lo.halves ~= 0 or lo.offset ~= 0 or hi.halves ~= 2
      or hi.offset ~= 2 * prove_link.extra(q.at[a])) then
      return ("a rewrite does not have all of axis %s"):format(q.axis_names[a])
    end
  end
end

-- Do points at such positions across the side lie on others, on the line or beyond it?
function prove_fold.has_doubles(fold, at)
  local cells = 1
  local last = fold.sign > 0 and FIRST[at] + 2 * (cells + prove_link.extra(at) - 1) or FIRST[at]
  local line = fold.sign > 0 and 2 * cells - shift(fold.across_at) or shift(fold.across_at)
  return fold.sign * (last - line) >= 0
end

-- Text that says what is wrong for an item, or nil.  at: its positions, and
--   links    of these, by "tile:direction"
--   needed   the directions that its ghost points may lie in, as keys
--   folds    whether some exchange reaches across the fold with a field at these positions
--   shared   the item is of an exchange of shared points
function prove_fold.check(grid, item, at)
  local fold, field = grid.fold, item.field
  local q = {
    fold = fold, positions = at.positions, links = at.links, folds = at.folds,
    axes = #grid.axes, axis_names = grid.axes, at = field.at,
    x = fold.along, y = fold.axis, names = { grid.axes[fold.along], grid.axes[fold.axis] },
    at_x = field.at[fold.along], at_y = field.at[fold.axis],
    lo_x = item.lo[fold.along], hi_x = item.hi[fold.along], lo_y = item.lo[fold.axis], hi_y = item.hi[fold.axis],
    parts = { { 0, 0 } },
  }
  q.most_hops = 2 * (q.lo_x + q.hi_x) + 8
  local wrong
  for x_side = -1, 1 do
    for _, y_side in ipairs { 0, fold.sign } do
      local direction = {}
      for a = 1, q.axes do direction[a] = a == q.x and x_side or a == q.y and y_side or 0 end
      if at.needed[table.concat(direction, ",")] then
        table.insert(q.parts, { x_side, y_side })
        local link = link_beyond(q, x_side, y_side)
        wrong = wrong or check_ring(q, link) or at.shared and check_rows(q, link)
      end
    end
  end
  for _, box in ipairs(at.positions.rewrites) do wrong = wrong or check_rewrite(q, box) or check_ring(q, box.link) end
  return wrong or check_points(q)
end

-- Text that says why the grid's fixed extents are too small for an item, or nil.
function prove_fold.fits(grid, item)
  local fold = grid.fold
  local q = { fold = fold, at_y = item.field.at[fold.axis], lo_y = item.lo[fold.axis], hi_y = item.hi[fold.axis] }
  local least, cells = fewest(q), grid.cells[fold.axis]
  if cells and cells < least then
    return ("what its ghost points beyond the fold come from takes %d cells along %s, and the grid has %d"):format(least,
      grid.axes[fold.axis], cells)
  end
end

return prove_fold
