-- The proof of one tile link for one field of one exchange: the innermost part of prove.lua.
--
-- The claim is that each ghost point comes from the one stored and owned point at its position, from the right component
-- with the right sign.  It is shown axis by axis.  Where the link has the orientation of the grid, a signed permutation,
-- each index of the source depends on one index of the destination; so boxes of points go to boxes, and the claim for
-- a box is the product of those for its axes, turned or not.  Along an axis every point of every extent from 1 to
-- 2 * width + 2 is tried.  From the width on, the index by the link and the index by the position are both affine in
-- the point and the extents, so that what holds for all of these holds for larger extents, too.
--
-- Where the width is larger than the tile, a wrap leads to a point that is still outside, and C follows links until
-- it is inside.  It is enough that each link keeps the position, modulo the extent, and leads strictly nearer on the
-- same side: the next direction is then the same one with some axes done, which the stencil claims as well, and an axis
-- that is done stays where it is.  Only Cartesian grids do this.  For others the extents begin with the width: smaller
-- ones are refused, by fits() where they are fixed and at create where they are not.

local prove_link = {}

-- Positions in half cells: of index 0, and the number of points beyond the cells.  Stated here again, on purpose: what
-- geometry.lua says of them is part of what is proved.
local FIRST = { center = 1, low = 0, high = 2, both = 0 }
local EXTRA = { center = 0, low = 0, high = 0, both = 1 }

function prove_link.extra(at)
  return EXTRA[at]
end

-- The largest extent to try along an axis with these widths.
function prove_link.bound(lo, hi)
  return 2 * math.max(lo, hi) + 2
end

-- ---- along one axis -------------------------------------------------------------------------------------------------

-- The ghost points of an axis of so many points, or the one on the side of the tile; the owned ones for direction 0.
local function range(side, points, width, shared)
  if shared and side ~= 0 then return side < 0 and 0 or points - 1, side < 0 and 0 or points - 1 end
  if side < 0 then return -width, -1 end
  if side > 0 then return points, points + width - 1 end
  return 0, points - 1
end

-- q.map         the link's numbers for this axis of the source
-- q.side        the direction, along the destination's axis
-- q.width       ghost layers on that side;  q.bound: largest extent to try
-- q.shared      not ghost points are meant, but those on the side itself
-- q.to, q.from  positions of the destination and of the source along these axes
-- q.tied        both are the same axis of the same tile, or meet along their whole length: one extent for both
-- q.P, q.t      by definition; t is nil where positions repeat
-- Returns nil, or the first counter-example.
local function check_extents(q, destination_cells, source_cells)
  local map = q.map
  local points = source_cells + EXTRA[q.from]
  local first, last = range(q.side, destination_cells + EXTRA[q.to], q.width, q.shared)
  for index = first, last do
    local position = FIRST[q.to] + 2 * index
    local found = map.sign * index + map.destination_cells * destination_cells + map.source_cells * source_cells
      + map.offset
    local inside = found >= 0 and found < points
    local right, wanted
    if q.t then
      wanted = q.P.sign * position
        + 2 * (q.t.destination_cells * destination_cells + q.t.source_cells * source_cells)
      right = inside and FIRST[q.from] + 2 * found == wanted
    elseif q.side == 0 then
      wanted = position
      right = found == index
    else
      wanted = position % (2 * source_cells)
      local other_end = found == (q.side < 0 and points - 1 or 0)
      local nearer = q.side < 0 and found > index and found < 0 or q.side > 0 and found < index and found >= points
      if q.shared then inside, nearer = other_end, false end
      right = (inside or nearer) and (FIRST[q.from] + 2 * found) % (2 * source_cells) == wanted
    end
    if not right then
      return { destination_cells = destination_cells, source_cells = source_cells, index = index, found = found,
        wanted = wanted }
    end
  end
end

local function check_axis(q)
  for destination_cells = 1, q.bound do
    local smallest, largest = 1, q.bound
    if q.tied then smallest, largest = destination_cells, destination_cells end
    if q.t and q.side ~= 0 then smallest = math.max(smallest, q.width) end
    for source_cells = smallest, largest do
      local counter_example = check_extents(q, destination_cells, source_cells)
      if counter_example then return counter_example end
    end
  end
end

-- ---- one link -------------------------------------------------------------------------------------------------------

local function position_text(half_cells)
  return half_cells % 2 == 0 and ("face %d"):format(half_cells // 2)
    or ("the center of cell %d"):format(half_cells // 2)
end

local function counter_example_text(grid, link, map, s, c)
  local text = ("with %d cells along %s of tile %d"):format(c.destination_cells, grid.axes[map.axis], link.tile)
  if link.source ~= link.tile or s ~= map.axis then
    text = text .. (" and %d cells along %s of tile %d"):format(c.source_cells, grid.axes[s], link.source)
  end
  return text .. (", point %d along %s comes from point %d along %s of tile %d, but its position there is %s"):format(
    c.index, grid.axes[map.axis], c.found, grid.axes[s], link.source, position_text(c.wanted))
end

-- Is an orientation a reflection?  It is if reversals and exchanges of axes come to an odd number.
local function mirrors(P)
  local odd = false
  for s, p in ipairs(P) do
    if p.sign < 0 then odd = not odd end
    for later = s + 1, #P do
      if P[later].axis < p.axis then odd = not odd end
    end
  end
  return odd
end

-- The component that feeds the field, by definition: v_destination = transpose(P) · v_source.  A pseudovector changes its
-- sign in a reflection besides, and an unsigned pair never does.
local function check_component(field, link, beyond)
  local component, sign = 0, 1
  if field.vector then
    for s, p in ipairs(beyond.P) do
      if p.axis == field.component then component, sign = s, p.sign end
    end
    if field.vector.kind == "unsigned" or field.vector.kind == "pseudovector" and mirrors(beyond.P) then
      sign = field.vector.kind == "unsigned" and 1 or -sign
    end
  end
  local given = link.component
  if field.vector and given == 0 then given = field.component end
  if given ~= component or link.sign ~= sign then
    return nil, ("the link takes component %d with sign %d; it should be %d with sign %d"):format(
      link.component, link.sign, component, sign)
  end
  return field.vector and field.vector.fields[component].at or field.at
end

-- The claim for axis s of the source.  claim: what prove_link.check was given; source_at: positions of what feeds the field.
local function check_axis_of(claim, s, source_at)
  local item, link, beyond, shared, known = claim.item, claim.link, claim.beyond, claim.shared, claim.known
  local p, field = beyond.P[s], item.field
  local a = p.axis
  local side, map = link.direction[a], link.map[s]
  local q = {
    map = map, side = side, P = p, t = beyond.t and beyond.t[s],
    width = side < 0 and item.lo[a] or side > 0 and item.hi[a] or 0,
    bound = prove_link.bound(item.lo[a], item.hi[a]), shared = shared,
    to = field.at[a], from = source_at[s],
    tied = side == 0 or link.source == link.tile and s == a,
  }
  local key = table.concat({ map.sign, map.destination_cells, map.source_cells, map.offset, side, q.width, q.bound,
    q.to, q.from, q.tied and 1 or 0, shared and 1 or 0, p.sign, q.t and q.t.destination_cells or "", q.t and q.t.source_cells or "" }, " ")
  if known[key] == nil then known[key] = check_axis(q) or false end
  return known[key] and counter_example_text(claim.grid, link, map, s, known[key]) or nil
end

-- Text that says what is wrong with a link for an item, or nil.  Answers along single axes are kept in `known`.
-- shared: points on the sides are meant, not ghost points.
function prove_link.check(grid, item, link, beyond, shared, known)
  if link.source ~= beyond.source then
    return ("the link leads to tile %d; it should be tile %d"):format(link.source, beyond.source)
  end
  for s, p in ipairs(beyond.P) do
    local map = link.map[s]
    if map.axis ~= p.axis or map.sign ~= p.sign then
      return ("the link has another orientation than the grid: %s axis %d, should be %s axis %d"):format(
        map.sign, map.axis, p.sign, p.axis)
    end
  end
  local field = item.field
  local source_at, text = check_component(field, link, beyond)
  if not source_at then return text end
  local claim = { grid = grid, item = item, link = link, beyond = beyond, shared = shared, known = known }
  for s in ipairs(beyond.P) do
    if not (beyond.coupled and beyond.coupled[s]) then
      local wrong = check_axis_of(claim, s, source_at)
      if wrong then return wrong end
    end
  end
end

-- Text that says why the grid's fixed extents are too small for a width, or nil.
function prove_link.fits(grid, item, link, beyond)
  for s, p in ipairs(beyond.P) do
    local side = link.direction[p.axis]
    local width = side < 0 and item.lo[p.axis] or side > 0 and item.hi[p.axis] or 0
    local cells = grid.cells[s]
    if beyond.t and cells and cells < width then
      return ("the width along %s is %d, but the neighboring tile has only %d cells there, and what lies behind it "
        .. "is not followed"):format(grid.axes[p.axis], width, cells)
    end
  end
end

return prove_link
