-- What the views of emit.lua have for the check program alone: what it must know of fields, exchanges and the grid to find
-- out, without links, who feeds a ghost point.

local initializers = require "emit.initializers"
local tiles = require "grids.tiles"

local emit_check = {}

local braces = initializers.braces

-- ---- fields -------------------------------------------------------------------------------------------------------

local AT = { center = "HX_CHECK_CENTER", low = "HX_CHECK_LOW", high = "HX_CHECK_HIGH", both = "HX_CHECK_BOTH" }
local VECTORS = { vector = "HX_CHECK_ARROW", pseudovector = "HX_CHECK_PSEUDOVECTOR", unsigned = "HX_CHECK_UNSIGNED" }

-- Where a field's points lie along each axis; nil if in the middle of cells along all.
local function places_of(field)
  local places, centers = {}, true
  for a, at in ipairs(field.at) do
    places[a] = AT[at]
    centers = centers and at == "center"
  end
  return not centers and braces(places) or nil
end

-- Directions as hx/check.h has them, { {1, 0}, {-1, 0} } as ".directions = \"+0 -0\"": a text in several lines if it is long.
local function directions_entry(directions)
  local lines = { "" }
  for d, direction in ipairs(directions) do
    local word = {}
    for a, step in ipairs(direction) do word[a] = step > 0 and "+" or step < 0 and "-" or "0" end
    local line, text = lines[#lines], table.concat(word) .. (d < #directions and " " or "")
    if #line + #text > 110 then line, lines[#lines + 1] = "", "" end
    lines[#lines] = line .. text
  end
  return '.directions = "' .. table.concat(lines, '"\n              "') .. '"'
end

-- What the check program has of a field, as entries of a table; those that are zero are left out.
local function add_to_fields(views, model)
  for f, field in ipairs(model.fields) do
    local entries = { ".kind = HX_CHECK_" .. field.ctype.kind:upper() }
    local places = places_of(field)
    if places then entries[#entries + 1] = ".at = " .. places end
    if field.vector then entries[#entries + 1] = ".vector = " .. VECTORS[field.vector.kind] end
    if field.directions then entries[#entries + 1] = directions_entry(field.directions) end
    views[f].check_entries = entries
  end
end

local STENCILS = { box = "HX_CHECK_BOX", star = "HX_CHECK_STAR", list = "HX_CHECK_LIST" }

local function add_to_exchanges(views, model)
  for e, exchange in ipairs(model.exchanges) do
    local view = views[e]
    local entries = { ".stencil = " .. STENCILS[view.stencil] }
    if view.stencil == "list" then entries[2] = directions_entry(exchange.stencil) end
    if exchange.fills then entries[#entries + 1] = ".fill = " .. view.fills end
    view.check_entries = entries
  end
end

-- ---- the grid -----------------------------------------------------------------------------------------------------

-- Which axes of which tiles have the same number of cells, since they run along each other: for each, the number of its
-- extent, from 0, and words for each extent.
local function extents_of(plan)
  local grid, group = plan.model.grid, {}
  local function root(key)
    while group[key] do key = group[key] end
    return key
  end
  local function key_of(tile, a) return (tile - 1) * #grid.axes + a end
  for _, join in ipairs(tiles.sides(grid)) do
    for s, p in ipairs(join.P) do
      local one, other = root(key_of(join.tile, p.axis)), root(key_of(join.source, s))
      if join.direction[p.axis] == 0 and one ~= other then group[math.max(one, other)] = math.min(one, other) end
    end
  end
  local extents, number, rows = {}, {}, {}
  for tile, entry in ipairs(grid.tiles) do
    local row = {}
    for a, axis in ipairs(grid.axes) do
      local first = root(key_of(tile, a))
      if not number[first] then
        local called = entry.name ~= tostring(tile - 1) and " (" .. entry.name .. ")" or ""
        extents[#extents + 1] = { words = ("%s of tile %d%s"):format(axis, tile - 1, called) }
        number[first] = #extents
      end
      row[a] = number[first] - 1
    end
    rows[tile] = braces(row)
  end
  return extents, rows
end

-- Whom each end of each axis of each tile meets, and which axes of this tile run along those there.
local function side_rows(plan)
  local axes, ends, rows = #plan.model.grid.axes, {}, {}
  for tile = 1, plan.tiles do
    ends[tile] = {}
    for a = 1, axes do ends[tile][a] = { "{-1, {0}}", "{-1, {0}}" } end
  end
  for _, join in ipairs(tiles.sides(plan.model.grid)) do
    local along = {}
    for s, p in ipairs(join.P) do along[s] = p.axis * p.sign end
    for a, side in ipairs(join.direction) do
      if side ~= 0 then ends[join.tile][a][side < 0 and 1 or 2] = braces { join.source - 1, braces(along) } end
    end
  end
  for tile = 1, plan.tiles do
    local row = {}
    for a = 1, axes do row[a] = braces(ends[tile][a]) end
    rows[tile] = braces(row)
  end
  return rows
end

local function tiled_view(plan)
  if plan.model.grid.kind ~= "tiles" then return false end
  local extents, extent_of = extents_of(plan)
  return { extents = extents, extent_of = extent_of, sides = side_rows(plan) }
end

-- The fold, for the check program: axes from 0; from the side to the line, and from where the axis begins to a pivot, in half cells.
local function folded_view(grid)
  local fold = grid.fold
  return fold and ("{.along = %d, .across = %d, .side = %d, .pivot = %d, .inset = %d}"):format(fold.along - 1, fold.axis - 1,
    fold.sign, fold.along_at == "center" and 1 or 0, fold.across_at == "center" and 1 or 0) or false
end

-- ---- the view -----------------------------------------------------------------------------------------------------

-- "point[0], point[1]"
local function point_arguments(axes)
  local out = {}
  for a = 1, axes do out[a] = ("point[%d]"):format(a - 1) end
  return table.concat(out, ", ")
end

-- Adds to a view that emit.view has made.
function emit_check.add(view, plan)
  view.tiled, view.folded = tiled_view(plan), folded_view(plan.model.grid)
  add_to_fields(view.fields, plan.model)
  add_to_exchanges(view.exchanges, plan.model)
  view.cuda_exchanges = false
  for _, exchange in ipairs(view.exchanges) do view.cuda_exchanges = view.cuda_exchanges or exchange.on_device end
  view.point_arguments = point_arguments(view.dimensions)
end

return emit_check
