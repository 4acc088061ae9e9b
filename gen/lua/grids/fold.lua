-- The geometry of a grid whose side is folded in the middle and sewn up; see fold_grid.lua.
--
-- Counted in half cells, the side with its line is turned by 180 degrees about two points that face each other on the
-- ring of 2n positions along it: at 0 or 1 along, and n further.  What lies beyond the line is there twice, and comes
-- from the points that it falls on.  Of the line itself the half from the first pivot to the second is kept, and the
-- half from there on is rewritten; the pivots fall on themselves.  All fields thus keep the same half.
--
--   fold.joins(grid)          as for all front ends
--   fold.onward(grid, direction)
--                             directions of links that points in a direction may come by besides those in its parts
--   fold.rewrites(grid, at)   the owned points at such positions that fall on others, as a list of boxes
--                             { join =, lo = {…}, hi = {…} }, lo and hi per axis { halves =, offset = }: the box goes from
--                             (halves * cells + offset) / 2, rounded down, to before the same of hi; and the direction
--                             across the side where the points on the line are ghost points, which nobody owns, else nil

--   fold.is_across(grid, axis, side)
--                             whether this is the side that is folded; false on other grids
--   fold.has_wall(grid, axis, side)
--                             whether the grid ends there
--   fold.meets_itself(grid, at)
--                             whether owned points at such positions fall on others; false on other grids

local geometry = require "grids.geometry"

local fold = {}

-- How far the pivot lies from the face where the axis begins, or from the side, in half cells.
local function shift_of(at)
  return at == "center" and 1 or 0
end

local function on_fold(f, direction)
  return direction[f.axis] == f.sign
end

local function is_joined(f, direction)
  for a, side in ipairs(direction) do
    if side ~= 0 and a ~= f.along and not (a == f.axis and side == f.sign) then return false end
  end
  return true
end

local function join_of(grid, direction)
  local f, P = grid.fold, geometry.identity(#grid.axes)
  if not on_fold(f, direction) then return geometry.join(1, direction, 1, P) end
  P[f.axis].sign, P[f.along].sign = -1, -1
  local join = geometry.join(1, direction, 1, P)
  join.t[f.along].shift = 2 * shift_of(f.along_at)
  join.t[f.axis].shift = -2 * f.sign * shift_of(f.across_at)
  return join
end

function fold.joins(grid)
  local joins = {}
  for _, direction in ipairs(geometry.directions(#grid.axes)) do
    if is_joined(grid.fold, direction) then joins[#joins + 1] = join_of(grid, direction) end
  end
  return joins
end

-- Who crosses the fold may come out beyond either end of the axis that closes on itself, and goes on around it.
function fold.onward(grid, direction)
  if not on_fold(grid.fold, direction) then return {} end
  local ways = {}
  for i, side in ipairs { -1, 1 } do
    ways[i] = {}
    for a in ipairs(grid.axes) do ways[i][a] = a == grid.fold.along and side or 0 end
  end
  return ways
end

-- ---- owned points that fall on others ---------------------------------------------------------------------------------

local function bound(halves, offset)
  if halves % 2 == 0 then offset = offset - offset % 2 end
  return { halves = halves, offset = offset }
end

-- All of an axis.
local function whole(at)
  return bound(0, 0), bound(2, 2 * geometry.extra(at))
end

-- The points between positions n + pivot and 2n + pivot, both excluded, or those one turn of the ring before.
local function far_half(at, pivot, turns)
  local from_pivot = pivot - geometry.first(at)
  if turns == 1 then return bound(-1, from_pivot + 2), bound(0, from_pivot + 1) end
  return bound(1, from_pivot + 2), bound(2, math.min(from_pivot + 1, 2 * geometry.extra(at)))
end

-- How far the row of points next to the side lies before the line; negative: behind it.
local function from_line(f, at)
  return (f.sign > 0 and geometry.from_end(at) or geometry.first(at)) - shift_of(f.across_at)
end

function fold.rewrites(grid, at)
  local f, boxes = grid.fold, {}
  local before = from_line(f, at[f.axis])
  local pivot = shift_of(f.along_at)
  local direction = {}
  for a in ipairs(grid.axes) do direction[a] = a == f.axis and f.sign or 0 end
  local unowned = before == 2 and direction or nil
  local function add(lo_along, hi_along)
    local box = { join = join_of(grid, direction), lo = {}, hi = {} }
    for a in ipairs(grid.axes) do box.lo[a], box.hi[a] = whole(at[a]) end
    local last = 2 * geometry.extra(at[f.axis])
    box.lo[f.axis] = f.sign > 0 and bound(2, last - 2) or bound(0, 0)
    box.hi[f.axis] = f.sign > 0 and bound(2, last) or bound(0, 2)
    box.lo[f.along], box.hi[f.along] = lo_along, hi_along
    boxes[#boxes + 1] = box
  end
  if before < 0 then add(whole(at[f.along])) end
  if before == 0 then
    add(far_half(at[f.along], pivot, 0))
    if pivot > geometry.first(at[f.along]) then add(far_half(at[f.along], pivot, 1)) end
  end
  return boxes, unowned
end

function fold.is_across(grid, axis, side)
  return grid.fold ~= nil and grid.fold.axis == axis and grid.fold.sign == side
end

function fold.has_wall(grid, axis, side)
  return axis ~= grid.fold.along and not fold.is_across(grid, axis, side)
end

function fold.meets_itself(grid, at)
  return grid.fold ~= nil and from_line(grid.fold, at[grid.fold.axis]) <= 0
end

-- ---- in words ---------------------------------------------------------------------------------------------------------

local function index_text(name, halves, offset)
  if halves < 1 then return tostring(halves < 0 and 0 or offset // 2) end
  local more = halves == 1 and offset or offset // 2
  local sum = more == 0 and "n_" .. name or ("n_%s %s %d"):format(name, more < 0 and "-" or "+", math.abs(more))
  if halves == 2 then return sum end
  return more == 0 and sum .. " / 2" or ("(%s) / 2"):format(sum)
end

-- A box of points, as in "y = n_y - 1, x = n_x / 2 ... n_x - 1"; nothing about axes that it has whole.
function fold.words(grid, box)
  local words = {}
  for a, name in ipairs(grid.axes) do
    local lo, hi = box.lo[a], box.hi[a]
    local first, last = index_text(name, lo.halves, lo.offset), index_text(name, hi.halves, hi.offset - 2)
    local range = first == last and first or first .. " ... " .. last
    if a == grid.fold.axis or a == grid.fold.along and hi.halves - lo.halves ~= 2 then
      words[#words + 1] = ("%s = %s"):format(name, range)
    end
  end
  return table.concat(words, ", ")
end

-- What the grid is folded about.
function fold.pivot_words(grid)
  local f = grid.fold
  if f.along_at == f.across_at then return f.along_at == "face" and "corners of cells" or "centers of cells" end
  return "faces of cells across " .. grid.axes[f.along_at == "face" and f.along or f.axis]
end

-- The side, as in a spec.
function fold.side_words(grid)
  return (grid.fold.sign > 0 and "+" or "-") .. grid.axes[grid.fold.axis]
end

return fold
