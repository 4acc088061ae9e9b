-- Is the prover's verdict right?  Tile links of random specs are changed at random, in one to three places; what the
-- prover then accepts must lead every ghost point to where it comes from all the same.
--
--   lua5.4 links.lua [SEED [SPECS [MUTANTS]]]      RANDOM_SEED and RANDOM_SPECS in the environment come first
--
-- Of 200 specs; of 100 with PROPERTY_TRIES below 1 in the environment.
--
-- Where points lead is followed link by link, as hx/abi.h says, over many extents; where they come from is reckoned from
-- the random model (model.lua): positions modulo extents along periodic axes, nothing beyond walls.

local here = arg[0]:match("^(.*)/[^/]*$") or "."
package.path = ("%s/?.lua;%s/../lua/?.lua;%s/../../gen/lua/?.lua"):format(here, here, here)
source_root = here .. "/../.."

local dice = require "dice"
local random_model = require "model"
local write = require "write"
local grids = require "grids"
local mutate = require "mutate"
local plan = require "plan.plan"
local prove = require "proof.prove"
local specs = require "specs"

local seed = math.tointeger(os.getenv "RANDOM_SEED" or arg[1] or 1)
local few = tonumber(os.getenv "PROPERTY_TRIES" or 1) < 1
local count = math.tointeger(os.getenv "RANDOM_SPECS" or arg[2] or few and 100 or 200)
local mutants = math.tointeger(arg[3] or 6)

local function accepted(p)
  return #grids.diagnostics(function() prove.run(p) end) == 0
end

-- ---- what links say -------------------------------------------------------------------------------------------------

local function direction_of(extra, cells, point)
  local direction, any = {}, false
  for a, index in ipairs(point) do
    direction[a] = index < 0 and -1 or index >= cells[a] + extra[a] and 1 or 0
    any = any or direction[a] ~= 0
  end
  return any and table.concat(direction, ",")
end

-- Where a point beyond the tile leads: a point within, or nil.  A Cartesian grid is one tile.
local function follow(positions, index, cells, point)
  for _ = 1, 200 do
    local key = direction_of(positions.extra, cells, point)
    if not key then return point end
    local link = index[key]
    if not link or link.source ~= 1 or link.sign ~= 1 then return nil end
    local next_point = {}
    for s, m in ipairs(link.map) do
      if not point[m.axis] then return nil end
      next_point[s] = m.sign * point[m.axis] + m.destination_cells * cells[m.axis] + m.source_cells * cells[s] + m.offset
    end
    point = next_point
  end
end

-- ---- what they should say -------------------------------------------------------------------------------------------

local function is_both(field, a)
  return (field.at and field.at[a] == "both") and 1 or 0
end

-- The owned point at the position of another one, or nil beyond a wall.
local function origin(m, field, cells, point)
  local from = {}
  for a, index in ipairs(point) do
    local points = cells[a] + is_both(field, a)
    if not m.axes[a].periodic and (index < 0 or index >= points) then return nil end
    while index < 0 do index = index + cells[a] end
    while index >= points do index = index - cells[a] end
    from[a] = index
  end
  return from
end

local function same(x, y)
  for a, index in ipairs(x) do
    if index ~= y[a] then return false end
  end
  return true
end

local function each_point(lo, hi, visit, a, point)
  a, point = a or 1, point or {}
  if a > #lo then return visit({ table.unpack(point) }) end
  for i = lo[a], hi[a] do
    point[a] = i
    if each_point(lo, hi, visit, a + 1, point) then return true end
  end
end

-- Whether all ghost points of a field in a direction lead where they should, for some extents.
-- links: { positions =, index = of these }.
local function direction_is_right(m, field, width, links, cells, direction)
  local lo, hi = {}, {}
  for a, side in ipairs(direction) do
    local points = cells[a] + is_both(field, a)
    lo[a] = side < 0 and -width.lo[a] or side > 0 and points or 0
    hi[a] = side < 0 and -1 or points - 1 + (side > 0 and width.hi[a] or 0)
  end
  return not each_point(lo, hi, function(point)
    local wanted, got = origin(m, field, cells, point), follow(links.positions, links.index, cells, point)
    return (wanted == nil) ~= (got == nil) or wanted and not same(wanted, got)
  end)
end

-- Links by direction; nil where two are for the same one or one is for no tile that there is.
local function index_of(positions)
  local index = {}
  for _, link in ipairs(positions.links) do
    local key = table.concat(link.direction, ",")
    if index[key] or link.tile ~= 1 then return nil end
    index[key] = link
  end
  return index
end

-- Whether the links feed a field from itself: component 0 says so, and the number that it has in its vector.
local function feeds_itself(field, link)
  return link.component == 0 or link.component == field.normal
end

local function some_extents(m, die)
  local list = {}
  for i = 1, 5 do
    list[i] = {}
    for a, axis in ipairs(m.axes) do list[i][a] = axis.cells or (i == 1 and 1 or die.range(1, 5)) end
  end
  return list
end

-- Directions of an exchange in the plan against those of the model.
local function directions_are_right(m, exchange, planned)
  local listed = {}
  for _, direction in ipairs(planned.directions) do
    local key = table.concat(direction, ",")
    if listed[key] then return false end
    listed[key] = true
  end
  for _, direction in ipairs(random_model.directions(#m.axes)) do
    local key, claimed = table.concat(direction, ","), false
    for _, number in ipairs(exchange.fields) do
      claimed = claimed or random_model.claims(m, exchange, number, direction)
    end
    if (listed[key] or false) ~= claimed then return false end
    listed[key] = nil
  end
  return next(listed) == nil
end

-- Whether ghost points that an exchange claims for some block may lie in a direction, seen from the tile: a block that is
-- within the tile along some axes has them in what is left of the direction.
local function needs(m, exchange, number, part)
  for _, direction in ipairs(random_model.directions(#m.axes)) do
    local within = random_model.claims(m, exchange, number, direction)
    for a, side in ipairs(part) do within = within and (side == 0 or side == direction[a]) end
    if within then return true end
  end
  return false
end

local function field_is_right(m, p, exchange, number, extents)
  local field, positions = m.fields[number], p.positions[p.positions_of[number]]
  local links = { positions = positions, index = index_of(positions) }
  for a in ipairs(m.axes) do
    if positions.extra[a] ~= is_both(field, a) then return false end
  end
  for _, direction in ipairs(links.index and random_model.directions(#m.axes) or {}) do
    if needs(m, exchange, number, direction) then
      local link = links.index[table.concat(direction, ",")]
      if link and not feeds_itself(field, link) then return false end
      for _, cells in ipairs(extents) do
        if not direction_is_right(m, field, random_model.width(m, exchange, number), links, cells, direction) then
          return false
        end
      end
    end
  end
  return links.index ~= nil
end

local function describes_the_grid(m, p, extents)
  if p.tiles ~= 1 then return false end
  for x, exchange in ipairs(m.exchanges) do
    if not directions_are_right(m, exchange, p.exchanges[x]) then return false end
    for _, number in ipairs(exchange.fields) do
      if not field_is_right(m, p, exchange, number, extents) then return false end
    end
  end
  return true
end

-- ---- changes --------------------------------------------------------------------------------------------------------

local function nudge(die, holder, key)
  local was = holder[key]
  holder[key] = die.pick { was - 1, was + 1, -was, 0, 1, was + die.range(-3, 3) }
end

local changes = {}

local numbers = { "axis", "sign", "destination_cells", "source_cells", "offset" }

function changes.number(die, positions)
  local link = die.pick(positions.links)
  nudge(die, die.pick(link.map), die.pick(numbers))
end

-- Cells of the tile on both sides are the same: what one loses the other may gain.
function changes.cells(die, positions)
  local map, by = die.pick(die.pick(positions.links).map), die.pick { -1, 1 }
  map.destination_cells, map.source_cells = map.destination_cells + by, map.source_cells - by
end

function changes.whole(die, positions)
  nudge(die, die.pick(positions.links), die.pick { "tile", "source", "component", "sign" })
end

function changes.direction(die, positions)
  local link = die.pick(positions.links)
  nudge(die, link.direction, die.range(1, #link.direction))
end

function changes.axes(die, positions)
  local map = die.pick(positions.links).map
  local i, k = die.range(1, #map), die.range(1, #map)
  map[i], map[k] = map[k], map[i]
end

function changes.exchanged(die, positions)
  local one, other, key = die.pick(positions.links), die.pick(positions.links), die.pick { "map", "direction", "component" }
  one[key], other[key] = other[key], one[key]
end

function changes.dropped(die, positions)
  table.remove(positions.links, die.range(1, #positions.links))
end

function changes.doubled(die, positions)
  local list = positions.links
  table.insert(list, die.range(1, #list), list[die.range(1, #list)])
end

function changes.extra(die, positions)
  nudge(die, positions.extra, die.range(1, #positions.extra))
end

function changes.other_class(die, positions, p)
  local other = die.pick(p.positions)
  positions.links, other.links = other.links, positions.links
end

function changes.listed(die, _, p)
  local list = die.pick(p.exchanges).directions
  local d = die.range(1, #list)
  local how = die.range(1, 3)
  if how == 1 then
    table.remove(list, d)
  elseif how == 2 then
    table.insert(list, d, list[d])
  else
    nudge(die, list[d], die.range(1, #list[d]))
  end
end

local names = {}
for name in pairs(changes) do names[#names + 1] = name end
table.sort(names)

local function change(die, p)
  local done = {}
  for i = 1, die.range(1, 3) do
    local positions = die.pick(p.positions)
    done[i] = #positions.links > 0 and die.pick(names) or "listed"
    if done[i] ~= "listed" or #p.exchanges[1].directions > 0 then changes[done[i]](die, positions, p) end
  end
  return table.concat(done, ", ")
end

-- ---- the test -------------------------------------------------------------------------------------------------------

local total, kept, needless, failures = 0, 0, 0, 0

local function fail(m, what)
  failures = failures + 1
  if failures > 5 then return end
  print(("FAILED: spec %d of seed %d: %s\n%s"):format(m.number, m.seed, what, write.spec(m)))
end

local function try_spec(number)
  local m = random_model.random(seed, number)
  local die = dice.new(seed, -number)
  local read, reports = specs.read(write.spec(m))
  if not read then return fail(m, "is refused: " .. reports[1].message) end
  local built = plan.build(read)
  local extents = some_extents(m, die)
  if not accepted(built) then fail(m, "its own plan is refused") end
  if not describes_the_grid(m, built, extents) then fail(m, "its own plan describes another grid") end
  for mutant = 1, mutants do
    local p = mutate.fresh(built)
    local fine, what = pcall(change, die, p)
    if fine then
      total = total + 1
      local right, verdict = describes_the_grid(m, p, extents), accepted(p)
      kept = kept + (verdict and 1 or 0)
      needless = needless + (right and not verdict and 1 or 0)
      if verdict and not right then fail(m, ("mutant %d (%s) is accepted"):format(mutant, what)) end
    end
  end
end

for number = 1, count do try_spec(number) end
print(("%d changed plans of %d specs: %d accepted, which are right; %d refused though right on the extents tried; "
  .. "%d failures"):format(total, count, kept, needless, failures))
os.exit(failures == 0)
