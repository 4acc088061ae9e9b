-- The proof of what fills the corners of tiles, read from the tables that templates print.
--
-- Shown is for every field that a fill carries, in numbers and not by the geometry of corners.lua:
--
--   1. every corner across the named axis that is between two sides with neighbors and has none itself has one link, others
--      have none;
--   2. for every extent from the width to twice the width and two, each ghost point of the corner comes from the point of the
--      same array, or of the other component's, that lies where the point comes to lie when it is turned about the corner; and
--      that is a ghost point beside the corner, within the width, and not in another corner;
--   3. a component of a vector comes from the one that points where its own axis comes to point, with that sign.

local prove_corners = {}

-- Positions in half cells: of index 0, and the number of points beyond the cells; stated again, on purpose.
local FIRST = { center = 1, low = 0, high = 2, both = 0 }
local EXTRA = { center = 0, low = 0, high = 0, both = 1 }

local function across_two(direction)
  local found = {}
  for a, side in ipairs(direction) do
    if side ~= 0 then found[#found + 1] = a end
  end
  return found
end

local function index_of(map, destination, cells)
  return map.sign * destination[map.axis] + (map.destination_cells + map.source_cells) * cells + map.offset
end

-- How far outside its tile of so many cells a position is across an axis, seen in the direction of the corner.
local function outside(direction, a, position, cells)
  return direction[a] < 0 and -position or position - 2 * cells
end

-- Is index i a ghost point of an axis at `at`, within the width, on the side of the corner?
local function is_ghost(at, side, i, cells, width)
  local points = cells + EXTRA[at]
  if side < 0 then return i < 0 and i >= -width end
  return i >= points and i < points + width
end

-- Text about a point that comes from elsewhere, or nil.  turn: { along =, across = axes, to =, from = positions, width = }.
local function check_points(grid, link, turn)
  local g, h, to, from, width = turn.along, turn.across, turn.to, turn.from, turn.width
  for cells = width, 2 * width + 2 do
    for a = 1, width do
      for b = 1, width do
        local point = {}
        for axis, depth in pairs { [g] = a, [h] = b } do
          point[axis] = link.direction[axis] < 0 and -depth or cells + EXTRA[to[axis]] - 1 + depth
        end
        local source = { [g] = index_of(link.map[g], point, cells), [h] = index_of(link.map[h], point, cells) }
        local function out(at, index, axis) return outside(link.direction, axis, FIRST[at[axis]] + 2 * index[axis], cells) end
        local right = out(from, source, g) == out(to, point, h) and out(from, source, h) == -out(to, point, g)
        local beside = is_ghost(from[g], link.direction[g], source[g], cells, width)
          and source[h] >= 0 and source[h] < cells + EXTRA[from[h]]
        if not right or not beside then
          return ("with %d cells, point (%d, %d) along %s and %s comes from (%d, %d)"):format(cells, point[g], point[h],
            grid.axes[g], grid.axes[h], source[g], source[h])
        end
      end
    end
  end
end

-- The component that feeds the field and its sign: turned about the corner, what points outwards across h points
-- outwards along g, and what points outwards along g points inwards across h.
local function feeding(field, direction, g, h)
  local own = field.vector and field.component
  if own ~= g and own ~= h then return own or 0, 1 end
  local sign = field.vector.kind == "unsigned" and 1 or direction[g] * direction[h] * (own == g and -1 or 1)
  return own == g and h or g, sign
end

local function check_link(grid, item, link, named, known)
  local field, axes = item.field, across_two(link.direction)
  local p, q = axes[1], axes[2]
  local g = named
  if field.vector and (field.component == p or field.component == q) then
    local function on_own_face(a, b)
      local component = field.vector.fields[a]
      return component and component.at[a] ~= "center" and component.at[b] == "center"
    end
    g = field.component
    if on_own_face(p, q) and on_own_face(q, p) then g = g == p and q or p end
  end
  local h = g == p and q or p
  local component, sign = feeding(field, link.direction, g, h)
  local given = link.component == 0 and field.component or link.component
  if (given or 0) ~= component or link.sign ~= sign or link.source ~= link.tile then
    return ("comes from component %d with sign %d of tile %d; it should be %d with sign %d of tile %d"):format(link.component,
      link.sign, link.source, component, sign, link.tile)
  end
  for s, map in ipairs(link.map) do
    local wanted = s == g and h or s == h and g or s
    local still = map.sign == 1 and map.destination_cells + map.source_cells == 0 and map.offset == 0
    if map.axis ~= wanted or wanted == s and not still then return ("axis %s does not turn as the corner does"):format(grid.axes[s]) end
  end
  local from = component > 0 and field.vector.fields[component].at or field.at
  local numbers = { g, h, item.lo[p], field.at[g], field.at[h], from[g], from[h], link.direction[g], link.direction[h] }
  for _, s in ipairs { g, h } do
    local map = link.map[s]
    table.move({ map.axis, map.sign, map.destination_cells, map.source_cells, map.offset }, 1, 5, #numbers + 1, numbers)
  end
  local key = "corner " .. table.concat(numbers, " ")
  if known[key] == nil then
    local turn = { along = g, across = h, to = field.at, from = from, width = item.lo[p] }
    known[key] = check_points(grid, link, turn) or false
  end
  return known[key] or nil
end

-- Is this a corner where a fill is due?
local function is_open(state, definition, tile, direction, named)
  local axes = across_two(direction)
  if #axes ~= 2 or axes[1] ~= named and axes[2] ~= named or definition.beyond(state, tile, direction) then return false end
  for _, a in ipairs(axes) do
    local single = {}
    for b in ipairs(direction) do single[b] = b == a and direction[b] or 0 end
    if not definition.beyond(state, tile, single) then return false end
  end
  return true
end

-- Text that says what is wrong with a fill { axis =, links = { per item } } of an exchange, or nil.
-- grid: { definition =, state = what its read returned, directions = all of them }; known: answers that are kept.
function prove_corners.check(plan, planned, fill, grid, known)
  local state = grid.state
  for i, item in ipairs(planned.items) do
    local index, found = {}, {}
    for _, link in ipairs(fill.links[i]) do
      local key = link.tile .. ":" .. table.concat(link.direction, ",")
      found[key], index[key] = (found[key] or 0) + 1, link
    end
    local wanted = 0
    for tile = 1, state.tiles do
      for _, direction in ipairs(grid.directions) do
        local key = tile .. ":" .. table.concat(direction, ",")
        local here = is_open(state, grid.definition, tile, direction, fill.axis) and 1 or 0
        local wrong = (found[key] or 0) ~= here and ("has %d links, and should have %d"):format(found[key] or 0, here)
          or here == 1 and check_link(plan.model.grid, item, index[key], fill.axis, known)
        if wrong then
          return ('field "%s", corner (%s) of tile %d %s'):format(item.field.name, table.concat(direction, ","), tile, wrong)
        end
        wanted = wanted + here
      end
    end
    if #fill.links[i] ~= wanted then
      return ('field "%s" has %d links for corners, and should have %d'):format(item.field.name, #fill.links[i], wanted)
    end
  end
end

return prove_corners
