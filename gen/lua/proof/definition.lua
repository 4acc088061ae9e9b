-- What a grid's definition says about the points outside its tiles: the prover's measure, reckoned without the plan.
--
--   definition.read(grid)                    -> what the next function reads; .tiles is their number
--   definition.beyond(read, tile, direction) -> nil: a wall or a corner without a neighbor; or
--                                               { source = tile, P = orientation, t = shift or nil, coupled = … or nil }
--
-- A Cartesian grid repeats itself along its periodic axes: t is nil, positions that differ by a multiple of the extent
-- are the same, however far outside.  So does a folded one; of the two axes that its fold couples, `coupled` by number,
-- positions are measured by prove_fold.lua.  Other grids are defined by the joins that their front end declares (geometry.lua;
-- a list of points has none); the joins are checked here against each other, in numbers, before anything is measured by
-- them: that each leads back, and that those across several sides are the ones that crossing these sides one after the
-- other leads to, in any order.

local geometry = require "grids.geometry"
local report = require "base.report"

local definition = {}

-- Shifts are affine in the extents, so that two values of each would do.
local LARGEST_EXTENT = 4

local function join_key(tile, direction)
  return tile .. ":" .. table.concat(direction, ",")
end

-- Tiles by the names that the spec gave them, here and in all that is said.
local function tile_name(grid, tile)
  return grid.tiles[tile] and grid.tiles[tile].name or tostring(tile)
end

local function name_of(grid, join)
  return ("tile %s, direction (%s)"):format(tile_name(grid, join.tile), table.concat(join.direction, ", "))
end

-- ---- joins against each other ---------------------------------------------------------------------------------------

local function well_formed(join, axes, tiles)
  local taken, outside = {}, false
  for s = 1, axes do
    local p = join.P[s]
    if not p or p.axis < 1 or p.axis > axes or taken[p.axis] or math.abs(p.sign) ~= 1 then return false end
    taken[p.axis] = true
    local side = join.direction[s]
    if side < -1 or side > 1 then return false end
    outside = outside or side ~= 0
  end
  return outside and join.tile >= 1 and join.tile <= tiles and join.source >= 1 and join.source <= tiles
end

local function image(join, s, position, destination_cells, source_cells)
  local t = join.t[s]
  return join.P[s].sign * position + 2 * (t.destination_cells * destination_cells + t.source_cells * source_cells)
end

-- [low, high] of the side of an n-cell axis that a direction names, in half cells.
local function side_of(side, n)
  if side < 0 then return 0, 0 end
  if side > 0 then return 2 * n, 2 * n end
  return 0, 2 * n
end

-- The side of the destination must be laid onto the facing side of the source, as a whole.
local function sides_meet(join, s)
  local side = join.direction[join.P[s].axis]
  local facing = -join.P[s].sign * side
  for n = 1, LARGEST_EXTENT do
    for m = side == 0 and n or 1, side == 0 and n or LARGEST_EXTENT do
      local low, high = side_of(side, n)
      local a, b = image(join, s, low, n, m), image(join, s, high, n, m)
      local source_low, source_high = side_of(facing, m)
      if math.min(a, b) ~= source_low or math.max(a, b) ~= source_high then return false end
    end
  end
  return true
end

local function leads_back(join, back)
  if not back or back.source ~= join.tile then return false end
  for s, p in ipairs(geometry.compose(back.P, join.P)) do
    if p.axis ~= s or p.sign ~= 1 then return false end
  end
  return true
end

local function check_join(grid, join, joins)
  for s in ipairs(grid.axes) do
    if not sides_meet(join, s) then
      return ("%s is not laid side to side onto tile %s"):format(name_of(grid, join), tile_name(grid, join.source))
    end
    local axis = join.P[s].axis
    local cells, source_cells = grid.cells[axis], grid.cells[s]
    if join.direction[axis] == 0 and cells and source_cells and cells ~= source_cells then
      return ("%s has %d cells along %s, but they meet %d cells along %s of tile %s"):format(name_of(grid, join),
        cells, grid.axes[axis], source_cells, grid.axes[s], tile_name(grid, join.source))
    end
  end
  local facing = geometry.facing(join.P, join.direction)
  if not leads_back(join, joins[join_key(join.source, facing)]) then
    return ("%s leads to tile %s, but direction (%s) of that tile does not lead back"):format(name_of(grid, join),
      tile_name(grid, join.source), table.concat(facing, ", "))
  end
end

-- ---- corners --------------------------------------------------------------------------------------------------------

-- All orders of some axes.
local function each_order(axes, visit, first)
  first = first or 1
  if first > #axes then return visit(axes) end
  for i = first, #axes do
    axes[first], axes[i] = axes[i], axes[first]
    each_order(axes, visit, first + 1)
    axes[first], axes[i] = axes[i], axes[first]
  end
end

-- A position beyond a tile of n cells along each axis that no turn or reflection maps onto itself.
local function position_beyond(direction, n)
  local position = {}
  for a, side in ipairs(direction) do
    local odd = 2 * a - 1
    position[a] = side < 0 and -odd or side > 0 and 2 * n + odd or odd
  end
  return position
end

local function moved(join, position, n)
  local image_of = {}
  for s in ipairs(join.P) do image_of[s] = image(join, s, position[join.P[s].axis], n, n) end
  return image_of
end

-- Where a position is when the sides across some axes have been crossed in their order, as text; nil: a side ends the way.
local function walk(joins, tile, direction, position, order, n)
  local facing = { table.unpack(direction) } -- the direction seen from the tile that is reached
  local P = geometry.identity(#direction)
  for _, a in ipairs(order) do
    local across = {}
    for s, p in ipairs(P) do across[s] = p.axis == a and facing[s] or 0 end
    local join = joins[join_key(tile, across)]
    if not join then return nil end
    tile, position, facing, P = join.source, moved(join, position, n), geometry.apply(join.P, facing),
      geometry.compose(join.P, P)
  end
  return tile .. ":" .. table.concat(position, ",")
end

-- What all orders of crossing lead to, as text; nil where they disagree or a side ends one of them.
local function met_by_all_orders(joins, tile, direction, position, n)
  local axes, found, agree = {}, nil, true
  for a, side in ipairs(direction) do
    if side ~= 0 then axes[#axes + 1] = a end
  end
  each_order(axes, function(order)
    local there = walk(joins, tile, direction, position, order, n)
    agree = agree and there and (there == found or not found)
    found = there
  end)
  return agree and found or nil
end

local function check_corner(grid, joins, tile, direction)
  local n = 2 * #direction
  local position, join = position_beyond(direction, n), joins[join_key(tile, direction)]
  local wanted = met_by_all_orders(joins, tile, direction, position, n)
  local found = join and join.source .. ":" .. table.concat(moved(join, position, n), ",") or nil
  if found ~= wanted then
    return ("%s is joined to %s (tile:position), but across its sides one comes to %s"):format(
      name_of(grid, { tile = tile, direction = direction }), found or "nothing", wanted or "nothing")
  end
end

-- Joins by tile and direction; or nil and what is wrong with the first bad one.  Only that one is told: joins come in
-- pairs, and a mistake in one shows at both ends.
local function read_joins(grid, tiles, declared)
  local joins = {}
  for _, join in ipairs(declared) do
    local key = join_key(join.tile, join.direction)
    if not well_formed(join, #grid.axes, tiles) then
      return nil, name_of(grid, join) .. " has a join that is not a signed permutation between tiles of the grid"
    elseif joins[key] then
      return nil, name_of(grid, join) .. " is joined twice"
    end
    joins[key] = join
  end
  for _, join in ipairs(declared) do
    local wrong = check_join(grid, join, joins)
    if wrong then return nil, wrong end
  end
  for tile = 1, tiles do
    for _, direction in ipairs(geometry.directions(#grid.axes)) do
      local wrong = check_corner(grid, joins, tile, direction)
      if wrong then return nil, wrong end
    end
  end
  return joins
end

-- ---- reading --------------------------------------------------------------------------------------------------------

-- nil, after a report, where the joins contradict each other.
function definition.read(grid)
  if grid.kind == "cartesian" then return { tiles = 1, periodic = grid.periodic } end
  if grid.kind == "fold" then return { tiles = 1, fold = grid.fold } end
  if grid.is_list then return { tiles = 1, joins = {} } end
  local joins, wrong = read_joins(grid, #grid.tiles, require("grids." .. grid.kind).joins(grid))
  if wrong then
    report.error("HG2003", grid.where, wrong,
      "make the two tiles agree on how they meet, and on the cells along the side that they share")
  end
  return joins and { tiles = #grid.tiles, joins = joins }
end

local function beyond_fold(fold, direction)
  local P = geometry.identity(#direction)
  for a, side in ipairs(direction) do
    if side ~= 0 and a ~= fold.along and not (a == fold.axis and side == fold.sign) then return nil end
  end
  if direction[fold.axis] ~= 0 then P[fold.axis].sign, P[fold.along].sign = -1, -1 end
  return { source = 1, P = P, coupled = { [fold.axis] = true, [fold.along] = true } }
end

function definition.beyond(read, tile, direction)
  if read.fold then return beyond_fold(read.fold, direction) end
  if read.joins then return read.joins[join_key(tile, direction)] end
  for a, side in ipairs(direction) do
    if side ~= 0 and not read.periodic[a] then return nil end
  end
  return { source = tile, P = geometry.identity(#direction) }
end

return definition
