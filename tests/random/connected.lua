-- Random grids that are not Cartesian: tiles that are connected at their sides, cubed spheres, folds.  A model's `grid` is
--
--   kind     "tiles", "cubed_sphere" or "fold"
--   tiles    how many
--   sides    of tiles: sides[tile][axis].lo and .hi = { tile =, to = { … }, sign = { … } }, what lies beyond, or nil for a
--            wall: axis b goes on along to[b] there, in the sense of sign[b]
--   list     the connections as they are written: { tile, axis, side, tile, axis, side }, "lo" or "hi"
--   horizontal                              of a cubed sphere: two axes
--   across, side, along, pivot, inset       of a fold: the side, "lo" or "hi", and the first pivot in half cells, along
--                                           from where the axis begins and across from the side
--
-- What is said about sides here is what ../../docs/spec-language.md says, in formulas of this file's own.

local connected = {}

local function empty_sides(tiles, axes)
  local sides = {}
  for t = 1, tiles do
    sides[t] = {}
    for a = 1, axes do sides[t][a] = {} end
  end
  return sides
end

-- Connects a side { tile, axis, side } with another; to and sign of axes along the first say how they run.
local function connect(grid, from, there, to, sign)
  local beyond = { tile = there[1], to = {}, sign = {} }
  local back = { tile = from[1], to = {}, sign = {} }
  for b in ipairs(grid.sides[from[1]]) do
    local across = b == from[2]
    beyond.to[b] = across and there[2] or to[b]
    beyond.sign[b] = across and (from[3] ~= there[3] and 1 or -1) or sign[b]
    back.to[beyond.to[b]], back.sign[beyond.to[b]] = b, beyond.sign[b]
  end
  grid.sides[from[1]][from[2]][from[3]] = beyond
  grid.sides[there[1]][there[2]][there[3]] = back
  grid.list[#grid.list + 1] = { from[1], from[2], from[3], there[1], there[2], there[3] }
end

-- ---- tiles ----------------------------------------------------------------------------------------------------------

-- The axes but one, in order.
local function axes_along(axes, across)
  local list = {}
  for a = 1, axes do
    if a ~= across then list[#list + 1] = a end
  end
  return list
end

-- An orientation along two sides: any of those that there are.
local function random_turn(die, axes, from, there)
  local to, sign = {}, {}
  local here, beyond = axes_along(axes, from[2]), axes_along(axes, there[2])
  local order = die.permutation(#here)
  for i, b in ipairs(here) do
    to[b], sign[b] = beyond[order[i]], die.chance(1, 2) and 1 or -1
  end
  return to, sign
end

-- A side may meet itself, if who crosses it twice comes back.
local function comes_back(from, there, to, sign)
  if from ~= there then return true end
  for b, axis in pairs(to) do
    if to[axis] ~= b or sign[axis] ~= sign[b] then return false end
  end
  return true
end

-- Sides that meet at random.
local function tangle(die, grid, axes)
  local open = {}
  for t = 1, grid.tiles do
    for a = 1, axes do
      for _, side in ipairs { "lo", "hi" } do open[#open + 1] = { t, a, side } end
    end
  end
  local order, walls = die.permutation(#open), die.range(0, 3)
  while #order > 0 do
    local from = open[table.remove(order)]
    if not die.chance(walls, 6) then
      local there = from
      if #order > 0 and not die.chance(1, 10) then there = open[table.remove(order)] end
      local to, sign
      repeat to, sign = random_turn(die, axes, from, there) until comes_back(from, there, to, sign)
      connect(grid, from, there, to, sign)
    end
  end
end

-- A box of tiles, each of which lies in it as it likes; some axes close on themselves, perhaps twisted.
local function lattice(die, grid, axes, counts, turns)
  local own, sense, closed, twist = {}, {}, {}, {}
  for t = 1, grid.tiles do
    own[t], sense[t] = {}, {}
    for a = 1, axes do own[t][a], sense[t][a] = a, 1 end
    if turns then
      own[t] = die.permutation(axes)
      for a = 1, axes do sense[t][a] = die.chance(1, 2) and 1 or -1 end
    end
  end
  for a = 1, axes do
    closed[a] = die.chance(1, 2)
    twist[a] = axes > 1 and die.chance(1, 5) and (a + die.range(1, axes - 1) - 1) % axes + 1 or 0
  end
  -- The number of a tile; the first axis varies fastest.
  local function tile_at(slice)
    local tile = 0
    for a = axes, 1, -1 do tile = tile * counts[a] + slice[a] end
    return tile + 1
  end
  for t = 1, grid.tiles do
    local slice, rest = {}, t - 1
    for a = 1, axes do slice[a], rest = rest % counts[a], rest // counts[a] end
    for a = 1, axes do
      local wraps = slice[a] == counts[a] - 1
      if not wraps or closed[a] then
        local next_slice, to, sign = { table.unpack(slice) }, {}, {}
        next_slice[a] = wraps and 0 or slice[a] + 1
        local u = tile_at(next_slice)
        for b = 1, axes do
          to[own[t][b]] = own[u][b]
          sign[own[t][b]] = sense[t][b] * sense[u][b] * (wraps and twist[a] == b and counts[b] == 1 and -1 or 1)
        end
        connect(grid, { t, own[t][a], sense[t][a] > 0 and "hi" or "lo" }, { u, own[u][a], sense[u][a] > 0 and "lo" or "hi" },
          to, sign)
      end
    end
  end
end

local function random_tiles(die, axes)
  local grid = { kind = "tiles", list = {} }
  if die.chance(2, 5) then
    grid.tiles = die.range(1, 3)
    grid.sides = empty_sides(grid.tiles, axes)
    tangle(die, grid, axes)
    return grid
  end
  local counts
  repeat
    counts, grid.tiles = {}, 1
    for a = 1, axes do
      counts[a] = die.pick { 1, 1, 2, 2, 3 }
      grid.tiles = grid.tiles * counts[a]
    end
  until grid.tiles <= 4
  grid.sides = empty_sides(grid.tiles, axes)
  lattice(die, grid, axes, counts, die.chance(2, 3))
  return grid
end

-- ---- cubed sphere ---------------------------------------------------------------------------------------------------

local function random_sphere(die, axes)
  local order = die.permutation(axes)
  local x, y = order[1], order[2]
  if die.chance(1, 2) then x, y = 1, 2 end
  local grid = { kind = "cubed_sphere", tiles = 6, sides = empty_sides(6, axes), list = {}, horizontal = { x, y } }
  for t = 0, 5 do
    local ahead, aside = (t + 1) % 6 + 1, (t + 2) % 6 + 1
    local straight, turned = { x, y }, { y, x }
    if t % 2 == 1 then straight, turned = turned, straight end
    local to, sign = {}, {}
    for b = 1, axes do to[b], sign[b] = b, 1 end
    -- Even tiles: on to the east, and over the north to the west of the next but one; odd ones the other way round.
    connect(grid, { t + 1, straight[1], "hi" }, { ahead, straight[1], "lo" }, to, sign)
    to[straight[1]], sign[straight[1]] = straight[2], -1
    connect(grid, { t + 1, turned[1], "hi" }, { aside, straight[1], "lo" }, to, sign)
  end
  return grid
end

-- ---- fold -----------------------------------------------------------------------------------------------------------

local function random_fold(die, axes)
  local order = die.permutation(axes)
  return { kind = "fold", tiles = 1, along = order[1], across = order[2], side = die.pick { "lo", "hi", "hi" },
    pivot = die.range(0, 1), inset = die.range(0, 1) }
end

function connected.random(die)
  local kind = die.weighted { { 6, "tiles" }, { 2, "cubed_sphere" }, { 3, "fold" } }
  if kind == "tiles" then
    local axes = die.weighted { { 1, 1 }, { 5, 2 }, { 3, 3 } }
    return random_tiles(die, axes), axes
  end
  local axes = die.weighted { { 3, 2 }, { 2, 3 } }
  return kind == "fold" and random_fold(die, axes) or random_sphere(die, axes), axes
end

-- ---- what fields may be there ---------------------------------------------------------------------------------------

local reflected = { center = "center", both = "both", low = "high", high = "low" }

local function at_of(field, a)
  return field.at and field.at[a] or "center"
end

-- The field that a field goes on as beyond a side; nil: there is none.
local function field_beyond(m, field, beyond)
  if not field.normal then return field end
  local number = m.vectors[field.vector].fields[beyond.to[field.normal]]
  return number and m.fields[number]
end

-- Whether points of a field have counterparts beyond all sides.
local function goes_on(m, field)
  for _, axes in ipairs(m.grid.sides) do
    for a in ipairs(axes) do
      for _, side in ipairs { "lo", "hi" } do
        local beyond = axes[a][side]
        local there = beyond and field_beyond(m, field, beyond)
        if beyond and not there then return false end
        for b in ipairs(beyond and axes or {}) do
          local at = at_of(field, b)
          if at_of(there, beyond.to[b]) ~= (beyond.sign[b] > 0 and at or reflected[at]) then return false end
        end
      end
    end
  end
  return true
end

function connected.can_have(m, field)
  local grid = m.grid
  if grid.kind ~= "fold" then return goes_on(m, field) end
  local at = at_of(field, grid.across)
  return grid.inset == 1 or at == "center" or at == "both" or at == (grid.side == "hi" and "high" or "low")
end

-- ---- shared points --------------------------------------------------------------------------------------------------

-- Where one comes to from a tile across the sides in a list of { axis, sign }, in their order: the tile, and where axes go.
local function cross(grid, axes, tile, steps)
  local to, sign = {}, {}
  for a = 1, axes do to[a], sign[a] = a, 1 end
  for _, step in ipairs(steps) do
    local axis, sense = to[step[1]], sign[step[1]] * step[2]
    local beyond = grid.sides[tile][axis][sense < 0 and "lo" or "hi"]
    if not beyond then return nil end
    for a = 1, axes do
      sign[a] = sign[a] * beyond.sign[to[a]]
      to[a] = beyond.to[to[a]]
    end
    tile = beyond.tile
  end
  return tile .. ":" .. table.concat(to, ",") .. ":" .. table.concat(sign, ",")
end

-- Whether all ways across two sides end at one place.
local function has_corner(grid, axes, tile, one, other)
  local first, second = cross(grid, axes, tile, { one, other }), cross(grid, axes, tile, { other, one })
  return first ~= nil and first == second
end

-- Whether some component lies at the corner of two sides about which other than four tiles meet.
local function has_corner_without_sense(m, field)
  local grid, axes = m.grid, #m.axes
  for t = 1, field.vector and grid.tiles or 0 do
    for a = 1, axes do
      for b = a + 1, axes do
        for k = 0, at_of(field, a) == "both" and at_of(field, b) == "both" and 3 or -1 do
          local one, other = { a, k % 2 * 2 - 1 }, { b, k // 2 * 2 - 1 }
          if cross(grid, axes, t, { one }) and cross(grid, axes, t, { other }) and not has_corner(grid, axes, t, one, other) then
            return true
          end
        end
      end
    end
  end
  return false
end

-- Whether, of a tile's two places of the points on a side across axis a, the lower one is not the same on all of a box: the
-- first index that can tell them apart runs along another axis.
local function is_diagonal(beyond, a)
  local across = beyond.to[a]
  for b, to in ipairs(beyond.to) do
    local both = b == a and b == across
    if b ~= a and b ~= across and to ~= b then return true end
    if (b == a or b == across) and not (both and beyond.sign[b] < 0) then return false end
  end
  return false
end

local function has_diagonal(grid)
  for t, axes in ipairs(grid.sides) do
    for a, sides in ipairs(axes) do
      for _, beyond in pairs(sides) do
        if beyond.tile == t and is_diagonal(beyond, a) then return true end
      end
    end
  end
  return false
end

-- Whether points of a folded grid lie on others; the tests of shared points on folds are ../exchange/seam.c.
local function lies_on_others(grid, at)
  return at == "both" or at == (grid.side == "hi" and "high" or "low") or at == "center" and grid.inset == 1
end

-- Whether an exchange of shared points can carry a field.
function connected.can_share(m, field)
  local grid, any = m.grid, false
  for a, axis in ipairs(m.axes) do
    local wraps = axis.periodic or grid and (grid.kind ~= "fold" or grid.along == a)
    any = any or at_of(field, a) == "both" and (wraps or axis.decomposed)
  end
  if not any or field.directions then return false end
  if not grid then return true end
  if grid.kind == "fold" then return not lies_on_others(grid, at_of(field, grid.across)) end
  return not has_corner_without_sense(m, field) and not has_diagonal(grid)
end

return connected
