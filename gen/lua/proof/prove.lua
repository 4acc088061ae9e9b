-- The proof that a plan's tables are complete and right, for every extent and before any partition.
--
-- It reads the numbers that the templates print and measures them by definition.lua, not by the geometry they came from.
-- For every field of every exchange, fields that lie alike and have equal widths once, it shows:
--
--   1. every direction of the stencil that the widths reach is in the exchange's list once, and no other;
--   2. a tile has exactly one link for each such direction in which the grid goes on, and none where it does not;
--   3. the link leads to the right tile, in the right orientation, to the right component with the right sign;
--   4. each ghost point comes from the one stored and owned point at its position (prove_link.lua, with 3);
--   5. of a field whose components travel, a direction brings those that fly along it into the block, and no other;
--   6. where the exchange may go axis by axis, that way leads to the same points (prove_phases.lua);
--   7. what fills ghost points beyond walls takes them from points that are there (prove_boundary.lua);
--   8. on a grid that is folded, owned points that lie where others do are rewritten, and read by nobody (prove_fold.lua);
--   9. where an exchange is of shared points, its directions are the sides, edges and corners of a block on which a field has
--      points, and every side of a tile that meets another has the one link that leads from each of its points to the one
--      at the same position there, which is owned, too; where a grid is folded, from each to the one that it lies on.  Who
--      meets whom at edges and corners follows from the sides;
--  10. corners of tiles without a neighbor are filled from where a turn about them leads (prove_corners.lua);
--  11. no step of a cycle reads a ghost point that does not hold what its owner has (prove_cycles.lua).

local definition = require "proof.definition"
local geometry = require "grids.geometry"
local ordered = require "base.ordered"
local prove_boundary = require "proof.prove_boundary"
local prove_corners = require "proof.prove_corners"
local prove_cycles = require "proof.prove_cycles"
local prove_fold = require "proof.prove_fold"
local prove_link = require "proof.prove_link"
local prove_phases = require "proof.prove_phases"
local report = require "base.report"

local prove = {}

local function direction_text(direction)
  return "(" .. table.concat(direction, ", ") .. ")"
end

-- ---- one field of one exchange --------------------------------------------------------------------------------------

-- The components of a field, as a list in text, that fly into the block from a direction: one step back along each of its
-- axes.  nil: no component has a direction, and all go everywhere.
local function flying_in(field, direction)
  if not field.directions then return nil end
  local list = {}
  for c, step in ipairs(field.directions) do
    local comes = true
    for a, side in ipairs(direction) do comes = comes and (side == 0 or step[a] == -side) end
    if comes then list[#list + 1] = c end
  end
  return table.concat(list, " ")
end

-- Has the item ghost points in a direction that a stencil reaches, whether or not something comes to them?
local function reaches(stencil, item, direction)
  local outside = 0
  for a, side in ipairs(direction) do
    if side ~= 0 then
      outside = outside + 1
      if (side < 0 and item.lo[a] or item.hi[a]) == 0 then return false end
    end
  end
  if type(stencil) ~= "table" then return outside == 1 or stencil == "box" and outside > 1 end
  for _, listed in ipairs(stencil) do
    local same = true
    for a, side in ipairs(direction) do same = same and listed[a] == side end
    if same then return true end
  end
  return false
end

-- Does the item claim ghost points in this direction?
local function claims(stencil, item, direction)
  return flying_in(item.field, direction) ~= "" and reaches(stencil, item, direction)
end

-- Where an exchange fills walls, links tell beside blocks without an owner which ghost points have a neighbor, though nothing
-- comes from it.
local function is_beside_walls(exchange, item, direction)
  return exchange.fills and reaches(exchange.stencil == "box" and "box" or "star", item, direction)
end

-- Of shared points: is there a point of the field on this side of a block?  And is it a side, no edge or corner?
local function has_points(grid, item, direction)
  local across, fold = 0, grid.fold
  for a, side in ipairs(direction) do
    local folded = fold and fold.axis == a and fold.sign == side and prove_fold.has_doubles(fold, item.field.at[a])
    if side ~= 0 and item.field.at[a] ~= "both" and not folded then return false end
    across = across + math.abs(side)
  end
  return across > 0, across == 1
end

-- All directions of so many axes, `within` excepted.
local function each_direction(axes, visit)
  local direction = {}
  local function along(a)
    if a > axes then return visit(direction) end
    for side = -1, 1 do
      direction[a] = side
      along(a + 1)
    end
  end
  along(1)
end

-- Notes what a ghost box in a direction of its block may be, seen from the tile: a block that does not touch the tile's
-- sides along some axes lies within along these.
local function note_parts(needed, direction)
  local part = {}
  local function along(a, outside)
    if a > #direction then
      if outside then needed[table.concat(part, ",")] = true end
      return
    end
    part[a] = 0
    along(a + 1, outside)
    if direction[a] ~= 0 then
      part[a] = direction[a]
      along(a + 1, true)
    end
  end
  along(1, false)
end

-- Reports what no spec can bring about, only a fault of our own or of a module that replaces one of ours.
local function fault(code, where, text)
  report.error(code, where, text, "this is a fault of halogen or of a module that replaces its own, not of the spec")
end

-- What lies beyond a fold may come from beyond either end of the ring, whether or not anything is claimed there.
local function note_ring(state, needed, direction)
  local fold = state.grid.fold
  if not fold or direction[fold.axis] ~= fold.sign then return end
  for side = -1, 1, 2 do
    local around = {}
    for a in ipairs(state.grid.axes) do around[a] = a == fold.along and side or 0 end
    needed[table.concat(around, ",")] = true
  end
end

-- Does some exchange reach across the fold with a field at these positions?
local function folds(state, positions)
  local across = {}
  for a in ipairs(state.grid.axes) do across[a] = a == state.grid.fold.axis and state.grid.fold.sign or 0 end
  for _, planned in ipairs(state.plan.exchanges) do
    for _, item in ipairs(planned.exchange.items) do
      local its_positions = state.plan.positions[state.plan.positions_of[item.field.index]]
      local needed = {}
      each_direction(#across, function(direction)
        if planned.exchange.shared and has_points(state.grid, item, direction)
          or not planned.exchange.shared and claims(planned.exchange.stencil, item, direction) then
          note_parts(needed, direction)
        end
      end)
      if its_positions == positions and needed[table.concat(across, ",")] then return true end
    end
  end
  return false
end

local function check_fold(state, exchange, item, positions, needed, fail)
  for _, box in ipairs(positions.rewrites) do
    local beyond = definition.beyond(state.definition, box.link.tile, box.link.direction)
    local wrong = beyond and prove_link.check(state.grid, item, box.link, beyond, false, state.known) or not beyond and "leads nowhere"
    if wrong then return fail("HG2021", "a rewrite: " .. wrong) end
  end
  local wrong = prove_fold.check(state.grid, item, {
    positions = positions, links = state.links[positions], needed = needed, folds = folds(state, positions),
    shared = exchange.shared ~= nil,
  })
  if wrong then fail("HG2021", wrong) end
  local small = not exchange.shared and prove_fold.fits(state.grid, item)
  if small then
    report.error("HG2004", exchange.where, ('exchange "%s", field "%s": %s'):format(exchange.name, item.field.name, small),
      "make the width smaller, or give the axis more cells")
  end
end

-- Directions in which the item needs links; those that it claims are noted in `reached`.
local function needed_of(state, item, exchange, reached)
  local needed = {}
  each_direction(#state.grid.axes, function(direction)
    local key = table.concat(direction, ",")
    if exchange.shared then
      local points, side = has_points(state.grid, item, direction)
      if points then reached[key], needed[key] = true, side or nil end
      if side then note_ring(state, needed, direction) end
    else
      local claimed = claims(exchange.stencil, item, direction)
      reached[key] = reached[key] or claimed or nil
      if claimed or is_beside_walls(exchange, item, direction) then
        note_parts(needed, direction)
        note_ring(state, needed, direction)
      end
    end
  end)
  return needed
end

-- What is wrong with the one link that a tile has to have in a direction, or has where nothing lies beyond: a code and a text;
-- and for which blocks it is too wide.
local function judge_direction(state, item, positions, tile, direction, shared)
  local links = state.links[positions][tile .. ":" .. table.concat(direction, ",")] or {}
  local beyond = definition.beyond(state.definition, tile, direction)
  local wanted = beyond and 1 or 0
  if #links ~= wanted then
    return "HG2011", ("tile %d has %d links in direction %s; it should have %d"):format(tile, #links, direction_text(direction),
      wanted)
  elseif not beyond then
    return
  end
  state.proved[links[1]] = true
  local wrong = prove_link.check(state.grid, item, links[1], beyond, shared, state.known)
  return wrong and "HG2012", wrong and ("tile %d, direction %s: %s"):format(tile, direction_text(direction), wrong),
    prove_link.fits(state.grid, item, links[1], beyond)
end

-- Checks item against the links of its positions and notes in `reached` the directions that it claims.
local function check_item(state, planned, item, positions, reached)
  local grid, exchange, sound = state.grid, planned.exchange, true
  local function fail(code, text)
    sound = false
    fault(code, exchange.where, ('exchange "%s", field "%s": %s'):format(exchange.name, item.field.name, text))
  end
  for a, at in ipairs(item.field.at) do
    local extra = prove_link.extra(at)
    if positions.extra[a] ~= extra then
      return fail("HG2010", ("its positions have %d points beyond the cells along %s, the field has %d"):format(
        positions.extra[a], grid.axes[a], extra))
    end
  end
  local needed = needed_of(state, item, exchange, reached)
  each_direction(#grid.axes, function(direction)
    for tile = 1, needed[table.concat(direction, ",")] and state.definition.tiles or 0 do
      local code, wrong, small = judge_direction(state, item, positions, tile, direction, exchange.shared ~= nil)
      if code then fail(code, wrong) end
      if small then
        report.error("HG2004", exchange.where, ('exchange "%s", field "%s": %s'):format(exchange.name, item.field.name, small),
          "make the width smaller, or give the axis more cells")
      end
    end
  end)
  if state.definition.fold and sound then check_fold(state, exchange, item, positions, needed, fail) end
end

-- ---- one exchange ---------------------------------------------------------------------------------------------------

-- Fields with equal keys are proved by the same reckoning.
local function item_key(class_number, item)
  local field = item.field
  local parts = { class_number, table.concat(item.lo, ","), table.concat(item.hi, ","), table.concat(field.at, ",") }
  for _, step in ipairs(field.directions or {}) do parts[#parts + 1] = table.concat(step, ",") end
  parts[#parts + 1] = field.vector and field.vector.kind or nil
  for a = 1, field.vector and #field.at or 0 do
    local component = field.vector.fields[a]
    parts[#parts + 1] = (a == field.component and "*" or "") .. (component and table.concat(component.at, ",") or "none")
  end
  return table.concat(parts, ";")
end

local function check_list(planned, reached)
  local exchange = planned.exchange
  local function fail(direction, text)
    fault("HG2013", exchange.where, ('exchange "%s": direction (%s) %s'):format(exchange.name, direction, text))
  end
  local listed = {}
  for _, direction in ipairs(planned.directions) do
    local key = table.concat(direction, ",")
    if listed[key] then fail(key, "is listed twice") end
    if not reached[key] then fail(key, "is listed, but no width reaches into it") end
    listed[key] = true
  end
  for key in ordered.pairs(reached) do
    if not listed[key] then fail(key, "is not listed") end
  end
end

-- The components that are picked for each direction must be those that come from it.
local function check_picks(planned)
  for i, item in ipairs(planned.items) do
    for d, direction in ipairs(planned.directions) do
      local wanted = flying_in(item.field, direction)
      local found = planned.picks[i] and table.concat(planned.picks[i][d] or { "none at all" }, " ") or nil
      if found ~= wanted then
        fault("HG2020", planned.exchange.where, ('exchange "%s", field "%s", direction %s: components picked are (%s), '
          .. 'but (%s) travel'):format(planned.exchange.name, item.field.name, direction_text(direction), found or "all",
          wanted or "all"))
      end
    end
  end
end

local function check_exchange(state, planned)
  local reached, seen, missing = {}, {}, {}
  for _, item in ipairs(planned.exchange.items) do missing[item] = true end
  for _, item in ipairs(planned.items) do
    if not missing[item] then
      fault("HG2014", planned.exchange.where, ('exchange "%s" carries field "%s" twice'):format(
        planned.exchange.name, item.field.name))
    end
    missing[item] = nil
    local c = state.plan.positions_of[item.field.index]
    local key = item_key(c, item)
    if not seen[key] then
      seen[key] = true
      check_item(state, planned, item, state.plan.positions[c], reached)
    end
  end
  for _, item in ipairs(planned.exchange.items) do
    if missing[item] then
      fault("HG2014", planned.exchange.where, ('exchange "%s" does not carry field "%s"'):format(
        planned.exchange.name, item.field.name))
    end
  end
  if planned.shared ~= planned.exchange.shared then
    fault("HG2022", planned.exchange.where, ('exchange "%s" lets %s decide about shared points; the spec says %s'):format(
      planned.exchange.name, tostring(planned.shared), tostring(planned.exchange.shared)))
  end
  check_list(planned, reached)
  check_picks(planned)
  local wrong = prove_phases.check(state.plan, planned, state.links)
  if wrong then fault("HG2017", planned.exchange.where, ('exchange "%s" %s'):format(planned.exchange.name, wrong)) end
  for _, fill in ipairs(planned.corners) do
    local grid = { definition = definition, state = state.definition, directions = geometry.directions(#state.grid.axes) }
    wrong = prove_corners.check(state.plan, planned, fill, grid, state.known)
    if wrong then
      fault("HG2023", planned.exchange.where, ('exchange "%s", corners along %s: %s'):format(planned.exchange.name,
        state.grid.axes[fill.axis], wrong))
    end
  end
  wrong = prove_boundary.check(state.plan, planned)
  if wrong then fault("HG2019", planned.exchange.where, ('exchange "%s" %s'):format(planned.exchange.name, wrong)) end
end

-- Links by tile and direction.
local function index_links(positions)
  local index = {}
  for _, link in ipairs(positions.links) do
    local key = link.tile .. ":" .. table.concat(link.direction, ",")
    index[key] = index[key] or {}
    table.insert(index[key], link)
  end
  return index
end

-- Once for positions, at their first field; all others lie alike.
local function check_mirrors(state, field)
  local c = state.plan.positions_of[field.index]
  if state.mirrored[c] then return end
  state.mirrored[c] = true
  for a, at in ipairs(field.at) do
    local wrong = prove_boundary.check_mirror(at, state.plan.positions[c].mirror[a])
      or prove_boundary.check_reverses(field, a, state.plan.positions[c].reverses[a])
    if wrong then
      fault("HG2018", field.where, ("positions %d, along %s: %s"):format(c, state.grid.axes[a], wrong))
      return
    end
  end
end

-- Reports what is wrong with a plan's tables, through report.error.
function prove.run(plan)
  local grid = plan.model.grid
  local state = { plan = plan, grid = grid, definition = definition.read(grid), links = {}, proved = {}, known = {},
    mirrored = {} }
  if not state.definition then return end
  if plan.tiles ~= state.definition.tiles then
    fault("HG2016", grid.where, ("the plan has %d tiles, the grid %d"):format(plan.tiles, state.definition.tiles))
  end
  for _, positions in ipairs(plan.positions) do state.links[positions] = index_links(positions) end
  for _, planned in ipairs(plan.exchanges) do
    host.proving(planned.exchange.where.file, planned.exchange.where.line)
    check_exchange(state, planned)
  end
  host.proving()
  for _, field in ipairs(plan.model.fields) do check_mirrors(state, field) end
  prove_cycles.run(plan, state.definition)
  for c, positions in ipairs(plan.positions) do
    for _, link in ipairs(positions.links) do
      if not state.proved[link] then
        fault("HG2015", grid.where, ("positions %d have a link of tile %d in direction %s that no exchange claims"):format(
          c, link.tile, direction_text(link.direction)))
      end
    end
  end
end

return prove
