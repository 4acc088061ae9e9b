-- From the model to the plan: the tables that the templates print, the prover reads and C cuts.
--
--   plan.tiles                   how many
--   plan.positions[c]            fields whose points lie alike share these: extra = points beyond the cells per axis,
--                                mirror, reverses = see geometry.lua, links = tile links (geometry.lua), sorted by tile, then direction; only directions
--                                that some exchange of such a field claims; rewrites = owned points that lie where others
--                                do, if some exchange claims the direction across their side: { link =, lo =, hi = }, a
--                                box as in fold.lua
--   plan.positions_of[field.index] = c
--   plan.exchanges[e]            exchange = the model's; directions that some item reaches; items in layout order;
--                                picks[i][d]: the components of item i that come from direction d, false: all of them;
--                                by_dimension: whether it may also go axis by axis
--                                boundary = { lo = {…}, hi = {…} }: what fills ghost points beyond walls;
--                                rewritten = { { box = of the positions, fields = {…} }, … }: owned points that it rewrites;
--                                shared: who decides about shared points, nil: it fills a halo; directions are then sides of
--                                blocks (shared.lua)
--                                corners = { { axis =, links = { per item: tile links } }, … }: how corners of tiles without a
--                                neighbor can be filled (corners.lua)
--   plan.cycles[c]               what cycles.lua describes
--   plan.claims[e]               what the exchange leaves untouched, see untouched()

local corners = require "plan.corners"
local cycles = require "plan.cycles"
local directions = require "plan.directions"
local exchanges = require "model.exchanges"
local geometry = require "grids.geometry"
local memory = require "model.memory"
local operations = require "model.operations"
local ordered = require "base.ordered"
local report = require "base.report"
local shared = require "plan.shared"

local plan = {}

local function direction_key(direction)
  return table.concat(direction, ",")
end

-- ---- positions ----------------------------------------------------------------------------------------------------

-- What decides where a field's points are and what feeds them: see geometry.tile_link.
function plan.role_of(field)
  local role = { at = field.at }
  if field.vector then
    role.component, role.kind = field.component, field.vector.kind
    role.components = {}
    for a = 1, #field.at do
      local component = field.vector.fields[a]
      role.components[a] = component and component.at
    end
  end
  return role
end

local function role_key(role)
  local parts = { table.concat(role.at, " "), role.component or 0, role.kind or "" }
  for a = 1, role.component and #role.at or 0 do
    parts[#parts + 1] = role.components[a] and table.concat(role.components[a], " ") or "none"
  end
  return table.concat(parts, ";")
end

-- apart: fields that have other positions than others with the same role.
local function classify(fields, apart)
  local all_positions, positions_of, by_key = {}, {}, {}
  for _, field in ipairs(fields) do
    local role = plan.role_of(field)
    local key = role_key(role) .. (apart[field] and ";apart" or "")
    local c = by_key[key]
    if not c then
      c = #all_positions + 1
      by_key[key] = c
      local extra, mirror = {}, {}
      for a, at in ipairs(field.at) do extra[a], mirror[a] = geometry.extra(at), geometry.mirror(at) end
      all_positions[c] = { extra = extra, mirror = mirror, reverses = geometry.reverses(field), links = {},
        rewrites = {}, role = role, fields = {} }
    end
    positions_of[field.index] = c
    table.insert(all_positions[c].fields, field)
  end
  return all_positions, positions_of
end

-- ---- directions ---------------------------------------------------------------------------------------------------

local function reaches(item, direction)
  for a, side in ipairs(direction) do
    if side < 0 and item.lo[a] == 0 or side > 0 and item.hi[a] == 0 then return false end
  end
  return true
end

-- Does an exchange bring anything of an item from this direction?
function plan.claims_direction(grid, exchange, item, direction)
  if exchange.shared then return shared.claims(grid, item, direction) end
  return exchanges.in_stencil(exchange.stencil, direction) and reaches(item, direction) and directions.count(item.field, direction) > 0
end

-- The fields that some exchange takes across a fold.  Points of theirs are rewritten there; those of others are all kept,
-- whatever is exchanged beside them.
local function fields_across(model)
  local across, f = {}, model.grid.fold
  for _, exchange in ipairs(f and model.exchanges or {}) do
    for _, item in ipairs(exchange.items) do
      for _, direction in ipairs(geometry.directions(#model.grid.axes)) do
        if direction[f.axis] == f.sign and plan.claims_direction(model.grid, exchange, item, direction) then
          across[item.field] = true
        end
      end
    end
  end
  return across
end

-- Notes a direction and those that have some of its axes only: a block that lies inside its tile along some axes has
-- ghost points in the direction that are, seen from the tile, in one of these.
local function note_with_parts(noted, direction)
  local part = {}
  local function along(a)
    if a > #direction then
      noted[direction_key(part)] = true
      return
    end
    for _, side in ipairs(direction[a] == 0 and { 0 } or { 0, direction[a] }) do
      part[a] = side
      along(a + 1)
    end
  end
  along(1)
end

-- Notes the directions of the links that an exchange follows for what it claims in a direction.
local function note_links(grid, front_end, exchange, noted, direction)
  if not exchange.shared then
    note_with_parts(noted, direction)
  elseif shared.axis_across(direction) then
    noted[direction_key(direction)] = true
  else
    return
  end
  for _, onward in ipairs(front_end.onward and front_end.onward(grid, direction) or {}) do
    noted[direction_key(onward)] = true
  end
end

-- Notes the directions, those of a box or of a star, in which ghost points beside walls may have neighbors that bring nothing:
-- beside blocks without an owner it matters who they are.
local function note_beside_walls(grid, front_end, exchange, item, all, noted)
  for _, direction in ipairs(exchange.fills and all or {}) do
    if exchanges.in_stencil(exchange.stencil == "box" and "box" or "star", direction) and reaches(item, direction) then
      note_links(grid, front_end, exchange, noted, direction)
    end
  end
end

-- Directions that some item claims; for the positions of each item they and their parts are noted in claimed[c].
local function exchange_directions(grid, front_end, exchange, all, positions_of, claimed)
  local reached, seen = {}, {}
  for _, item in ipairs(exchange.items) do
    local c = positions_of[item.field.index]
    local key = c .. ";" .. direction_key(item.lo) .. ";" .. direction_key(item.hi)
    if not seen[key] or item.field.directions then
      seen[key] = not item.field.directions
      for d, direction in ipairs(all) do
        if plan.claims_direction(grid, exchange, item, direction) then
          reached[d] = true
          note_links(grid, front_end, exchange, claimed[c], direction)
        end
      end
      note_beside_walls(grid, front_end, exchange, item, all, claimed[c])
    end
  end
  local claimed_by_some = {}
  for d, direction in ipairs(all) do
    if reached[d] then claimed_by_some[#claimed_by_some + 1] = direction end
  end
  return claimed_by_some
end

-- For each item whose components travel, by number, and each direction of the exchange the components that come from it.
local function picks_of(planned)
  local picks = {}
  for i, item in ipairs(planned.items) do
    picks[i] = item.field.directions and {} or false
    for d, direction in ipairs(item.field.directions and planned.directions or {}) do
      picks[i][d] = directions.picks(item.field, direction)
    end
  end
  return picks
end

-- Each box once, with the fields whose points in it are rewritten, in the order of the exchange.
local function rewritten_by(grid, planned, all_positions, positions_of)
  local list, by_box = {}, {}
  for _, item in ipairs(planned.exchange.items) do
    for _, box in ipairs(all_positions[positions_of[item.field.index]].rewrites) do
      if plan.claims_direction(grid, planned.exchange, item, box.link.direction) then
        if not by_box[box] then
          by_box[box] = { box = box, fields = {} }
          list[#list + 1] = by_box[box]
        end
        table.insert(by_box[box].fields, item.field)
      end
    end
  end
  return list
end

-- The order in which fields lie in a message: the widest type first, so that none needs padding, then as in the spec.
local function layout_order(items)
  return ordered.sort({ table.unpack(items) }, function(x, y) return x.field.ctype.size > y.field.ctype.size end)
end

-- ---- tile links ---------------------------------------------------------------------------------------------------

local function side_name(grid, direction)
  local names = {}
  for a, side in ipairs(direction) do
    if side ~= 0 then names[#names + 1] = (side < 0 and "below " or "above ") .. grid.axes[a] end
  end
  return table.concat(names, " and ")
end

local function tile_name(grid, tile)
  return grid.tiles and grid.tiles[tile].name or tostring(tile)
end

-- Points at positions that a join moves to where its source has none.
local function report_position(grid, field, join, fault)
  local axis, source_axis = grid.axes[fault.axis], grid.axes[fault.source_axis]
  local source = fault.component and field.vector.fields[fault.component] or field
  local message = ('field "%s": its position "%s" along %s becomes "%s" along %s of tile %s, which joins tile %s %s; '
    .. 'field "%s", which feeds it, lies at "%s" there'):format(field.name, field.at[fault.axis], axis, fault.image,
    source_axis, tile_name(grid, join.source), tile_name(grid, join.tile), side_name(grid, join.direction), source.name, fault.found)
  local help = ('place both at "center", or both at "both", along %s and %s'):format(axis, source_axis)
  if fault.image ~= "center" and fault.found ~= "center" then
    help = ('place them at "both" along %s and %s: then every face has one that feeds it'):format(axis, source_axis)
  end
  return "HG2002", message, help
end

local function report_component(grid, field, join, fault)
  local missing = grid.axes[fault.component]
  local message = ('field "%s" is a component of vector "%s"; where tile %s joins tile %s %s, it comes from the '
    .. 'component along %s, which the vector does not have'):format(field.name, field.vector.name,
    tile_name(grid, join.source), tile_name(grid, join.tile), side_name(grid, join.direction), missing)
  return "HG2001", message, "give the vector a component along " .. missing
end

-- Once for positions, at their first field.
local function report_fault(grid, positions, join, fault)
  local words = fault.reason == "component" and report_component or report_position
  local code, message, help = words(grid, positions.fields[1], join, fault)
  local notes = {}
  for f = 2, #positions.fields do
    local other = positions.fields[f]
    notes[f - 1] = { where = other.where, message = ('the same holds for field "%s"'):format(other.name) }
  end
  report.error(code, positions.fields[1].where, message, help, notes)
end

local function by_tile_and_direction(x, y)
  if x.tile ~= y.tile then return x.tile < y.tile end
  return direction_key(x.direction) < direction_key(y.direction) -- as texts, too, "-1" comes before "0", and "0" before "1"
end

local function report_unowned(grid, positions)
  local field, axis = positions.fields[1], grid.axes[grid.fold.axis]
  report.error("HG2005", field.where, ('field "%s": the grid is folded along faces at the %s end of %s, and as its points lie '
    .. 'at "%s" along %s, nobody owns those on the fold'):format(field.name, grid.fold.sign > 0 and "high" or "low", axis,
    field.at[grid.fold.axis], axis), ('place it at "%s" or "both" along %s, or fold the grid about centers'):format(
    grid.fold.sign > 0 and "high" or "low", axis))
end

-- What its exchanges rewrite.
local function fold_positions(grid, front_end, positions, claimed)
  if not front_end.rewrites then return end
  local boxes, unowned = front_end.rewrites(grid, positions.role.at)
  if unowned and claimed[direction_key(unowned)] then report_unowned(grid, positions) end
  for _, box in ipairs(boxes) do
    if claimed[direction_key(box.join.direction)] then
      table.insert(positions.rewrites, { link = geometry.tile_link(box.join, positions.role), lo = box.lo, hi = box.hi })
    end
  end
end

-- Positions that cannot be linked are reported for the first join that fails.
local function link_positions(grid, positions, joins, claimed)
  for _, join in ipairs(joins) do
    if claimed[direction_key(join.direction)] then
      local link, fault = geometry.tile_link(join, positions.role)
      if not link then
        report_fault(grid, positions, join, fault)
        return
      end
      positions.links[#positions.links + 1] = link
    end
  end
  ordered.sort(positions.links, by_tile_and_direction)
end

-- ---- schedules ----------------------------------------------------------------------------------------------------

local function turns(link)
  for s, map in ipairs(link.map) do
    if map.axis ~= s or map.sign ~= 1 then return true end
  end
  return link.sign ~= 1 or link.component ~= 0
end

-- May the exchange go axis by axis, corners taken from what earlier axes have brought?  (Proved in prove_phases.lua.)  On a
-- device all messages are packed at once.
local function may_go_by_dimension(grid, planned, all_positions, positions_of)
  if operations.returns(planned.exchange) or planned.exchange.stencil ~= "box" or grid.kind ~= "cartesian"
    or planned.exchange.shared or memory.carries_device(planned.exchange) then
    return false
  end
  local seen = {}
  for _, item in ipairs(planned.items) do
    if item.field.directions then return false end
    local c = positions_of[item.field.index]
    for _, link in ipairs(seen[c] and {} or all_positions[c].links) do
      if turns(link) then return false end
    end
    seen[c] = true
  end
  return true
end

-- ---- what is left untouched ---------------------------------------------------------------------------------------

-- walls: { axis = name, side = "lo", "hi" or "both" } across which no tile has a neighbor, where nothing fills what a width
--   reaches beyond them.
-- sides: { tile =, direction = } without a neighbor that walls does not imply; directions are those of the exchange.
-- corners: true where a star leaves out edges and corners of the halo; others: true where a list of directions leaves
--   out some that a width reaches.
-- layers: { field =, axis =, side = "lo" or "hi", halo =, width = } where the halo is deeper than the width.
-- all: true where the exchange is of shared points.
-- reached, filled: of its low and its high side.
local function add_wall(walls, axis, reached, lo_filled, hi_filled)
  local lo, hi = reached.lo and not lo_filled, reached.hi and not hi_filled
  if not lo and not hi then return end
  table.insert(walls, { axis = axis, side = not lo_filled and not hi_filled and "both" or lo and "lo" or "hi" })
end

-- Is there a direction that an item reaches and the list of the exchange has not?
local function leaves_out(planned)
  local listed = {}
  for _, direction in ipairs(planned.directions) do listed[direction_key(direction)] = true end
  for _, item in ipairs(planned.items) do
    for _, direction in ipairs(geometry.directions(#item.lo)) do
      if reaches(item, direction) and not listed[direction_key(direction)] then return true end
    end
  end
  return false
end

-- Is the part of a tile's halo in a direction filled beyond walls?  All of them must be filled; from points that the tile
-- owns or that have an owner in the direction that remains.
local function is_walled(planned, joined, tile, direction)
  local boundary, rest, walls, across = planned.exchange.boundary, {}, 0, 0
  for a, side in ipairs(direction) do
    local alone = {}
    for b in ipairs(direction) do alone[b] = b == a and side or 0 end
    local open = side ~= 0 and joined[tile .. ":" .. direction_key(alone)]
    rest[a] = open and side or 0
    across = across + math.abs(side)
    if side ~= 0 and not open then
      walls = walls + 1
      if boundary[side < 0 and "lo" or "hi"][a] == "none" then return false end
    end
  end
  local box = planned.exchange.stencil == "box"
  return walls > 0 and (box or across == 1) and (across - walls < 2 or joined[tile .. ":" .. direction_key(rest)] ~= nil)
end

local function untouched(model, tiles, planned, joins)
  local boundary = planned.exchange.boundary
  local facts = { walls = {}, sides = {}, corners = false, others = false, layers = {}, all = planned.exchange.shared ~= nil }
  if facts.all then return facts end
  local joined, crossed = {}, {}
  for _, join in ipairs(joins) do
    joined[join.tile .. ":" .. direction_key(join.direction)] = true
    for a, side in ipairs(join.direction) do crossed[a] = crossed[a] or side ~= 0 end
  end
  local reached = {}
  for _, direction in ipairs(planned.directions) do
    local implied = false
    for a, side in ipairs(direction) do
      reached[a] = reached[a] or {}
      if side ~= 0 then reached[a][side < 0 and "lo" or "hi"] = true end
      implied = implied or side ~= 0 and not crossed[a]
    end
    for tile = 1, implied and 0 or tiles do
      if not joined[tile .. ":" .. direction_key(direction)] and not is_walled(planned, joined, tile, direction) then
        table.insert(facts.sides, { tile = tile, direction = direction })
      end
    end
  end
  -- Behind owned points lies what a neighbor feeds, and nothing else.
  local axes, around = 0, false
  for _, item in ipairs(planned.exchange.items) do around = around or not item.field.behind end
  for a, name in ipairs(model.grid.axes) do
    local sides = reached[a] or {}
    if sides.lo or sides.hi then axes = axes + 1 end
    if not crossed[a] and around then add_wall(facts.walls, name, sides, boundary.lo[a] ~= "none", boundary.hi[a] ~= "none") end
  end
  facts.corners = planned.exchange.stencil == "star" and axes > 1 and around
  facts.others = type(planned.exchange.stencil) == "table" and leaves_out(planned)
  for _, item in ipairs(planned.exchange.items) do
    for a, name in ipairs(model.grid.axes) do
      for _, side in ipairs { "lo", "hi" } do
        local halo, width = item.field.halo[side][a], item[side][a]
        if width < halo then
          table.insert(facts.layers, { field = item.field, axis = name, side = side, halo = halo, width = width })
        end
      end
    end
  end
  return facts
end

-- ---- corners ------------------------------------------------------------------------------------------------------

-- The links of one field for all corners that are filled along an axis; reports the first that cannot be.
local function corner_links(model, joins, item, axis, role)
  local links, grid = {}, model.grid
  for _, corner in ipairs(corners.open(grid, joins, axis)) do
    local link, fault = corners.link(corner, corners.along(item.field, axis, corners.axes_of(corner.direction)), role)
    if not link then
      report.error("HG2008", item.where, ('field "%s" lies at "%s" along %s; turned about the corner of tile %s %s its points do '
        .. 'not come to lie on points that could fill them'):format(item.field.name, item.field.at[fault.axis or 1],
        grid.axes[fault.axis or 1], tile_name(grid, corner.tile), side_name(grid, corner.direction)),
        'place it at "center" or at "both" along both axes, or make it the component of a vector')
      return {}
    end
    links[#links + 1] = link
  end
  return ordered.sort(links, by_tile_and_direction)
end

local function fills_of_corners(model, joins, planned, all_positions, positions_of)
  local fills = {}
  for _, axis in ipairs(planned.exchange.corners or {}) do
    local fill = { axis = axis, links = {} }
    for i, item in ipairs(planned.items) do
      fill.links[i] = corner_links(model, joins, item, axis, all_positions[positions_of[item.field.index]].role)
    end
    fills[#fills + 1] = fill
  end
  return fills
end

-- ---- shared points ------------------------------------------------------------------------------------------------

-- Where tiles meet so that nobody can say what a component of a vector should agree with, or which half of a side decides.
local function refuse_vague_sharing(model, joins)
  local grid = model.grid
  local diagonal = shared.side_with_diagonal(grid)
  for _, exchange in ipairs(model.exchanges) do
    for _, item in ipairs(exchange.shared and exchange.items or {}) do
      local tile, direction = shared.corner_without_sense(grid, joins, item.field)
      if tile then
        report.error("HG2006", item.where, ('field "%s" is a component of vector "%s"; at the corner of tile %s %s, which other '
          .. 'than four tiles share, it is another component to each way around'):format(item.field.name,
          item.field.vector.name, tile_name(grid, tile), side_name(grid, direction)),
          'place its components on faces across one axis each, or leave the vector out')
      end
      if diagonal and shared.meets(grid, item.field) then
        report.error("HG2007", item.where, ('field "%s" has points on side %s of tile %s, which is connected with %s so that two '
          .. 'axes change places'):format(item.field.name, side_name(grid, diagonal.direction), tile_name(grid, diagonal.tile),
          shared.is_itself(diagonal) and "itself" or "another side of the same tile"),
          "leave the field out: halogen shares points between boxes, and the halves of that side are none")
      end
    end
  end
end

-- ---- minima and maxima --------------------------------------------------------------------------------------------

-- The first link that an exchange crosses, of those of one kind of positions, where numbers change their sign; nil: there is none.
local function link_with_sign(planned, positions)
  local claimed = {}
  for _, direction in ipairs(planned.directions) do claimed[direction_key(direction)] = true end
  for _, link in ipairs(positions.links) do
    if link.sign ~= 1 and claimed[direction_key(link.direction)] then return link end
  end
end

-- Shared points are found by crossing one side after the other, on the way as other components of the vector.
local function refuse_opposite_extremes(grid, planned, all_positions, positions_of)
  for _, item in ipairs(operations.picks(planned.exchange.operation) and planned.items or {}) do
    local found
    for _, field in ipairs(planned.shared and item.field.vector and item.field.vector.fields or { item.field }) do
      found = found or link_with_sign(planned, all_positions[positions_of[field.index]])
    end
    if found then
      report.error("HG2009", item.where, ('exchange "%s" %s, and field "%s" is a component of vector "%s", which changes its sign '
        .. 'beyond side %s%s'):format(planned.exchange.name, operations.verb[planned.exchange.operation], item.field.name,
        item.field.vector.name, side_name(grid, found.direction), grid.tiles and " of tile " .. tile_name(grid, found.tile) or ""),
        "carry the vector in an exchange that copies or adds; take minima and maxima of fields that are no vector")
    end
  end
end

-- ---- the plan -----------------------------------------------------------------------------------------------------

function plan.build(model)
  local grid = model.grid
  local tiles = grid.tiles and #grid.tiles or 1
  local front_end = require("grids." .. grid.kind)
  local joins = front_end.joins(grid)
  local all_positions, positions_of = classify(model.fields, fields_across(model))
  local all = geometry.directions(#grid.axes)
  local claimed = {}
  for c in ipairs(all_positions) do claimed[c] = {} end
  local planned_exchanges, claims = {}, {}
  for e, exchange in ipairs(model.exchanges) do
    planned_exchanges[e] = {
      exchange = exchange,
      directions = exchange_directions(grid, front_end, exchange, all, positions_of, claimed),
      items = layout_order(exchange.items),
      boundary = exchange.boundary,
      shared = exchange.shared,
    }
    claims[e] = untouched(model, tiles, planned_exchanges[e], joins)
  end
  for c, positions in ipairs(all_positions) do
    link_positions(grid, positions, joins, claimed[c])
    fold_positions(grid, front_end, positions, claimed[c])
  end
  refuse_vague_sharing(model, joins)
  for _, planned in ipairs(planned_exchanges) do
    planned.picks = picks_of(planned)
    planned.corners = fills_of_corners(model, joins, planned, all_positions, positions_of)
    planned.rewritten = rewritten_by(grid, planned, all_positions, positions_of)
    refuse_opposite_extremes(grid, planned, all_positions, positions_of)
    planned.by_dimension = may_go_by_dimension(grid, planned, all_positions, positions_of)
  end
  local planned_cycles = {}
  for c, cycle in ipairs(model.cycles or {}) do planned_cycles[c] = cycles.plan(model, joins, cycle) end
  return {
    model = model, tiles = tiles, cycles = planned_cycles,
    positions = all_positions, positions_of = positions_of,
    exchanges = planned_exchanges, claims = claims,
  }
end

return plan
