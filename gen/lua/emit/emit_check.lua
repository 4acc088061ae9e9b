-- What the views of emit.lua have for the check program alone: what it must know of fields, exchanges and the grid to find
-- out, without links, who feeds a ghost point.

local initializers = require "emit.initializers"
local memory = require "model.memory"
local tiles = require "grids.tiles"
local wires = require "model.wires"

local emit_check = {}

local braces, braced = initializers.braces, initializers.braced

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

-- Does the turn of a fold reverse values of a field: components along its axes, but those that have no sense along them?
local function folds_over(field)
  local fold, vector = field.grid.fold, field.vector
  local turned = fold and vector and (field.component == fold.axis or field.component == fold.along)
  return turned and vector.kind ~= "unsigned"
end

-- What the check program has of a field, as entries of a table; those that are zero are left out.
local function entries_of_field(model, field, view)
  local entries = {
    (".pointer = offsetof(%s_fields, %s)"):format(model.name, field.name),
    (".size = sizeof(%s)"):format(field.type),
    ".kind = HX_CHECK_" .. field.ctype.kind:upper(),
  }
  local function add(name, value)
    if value then entries[#entries + 1] = (".%s = %s"):format(name, value) end
  end
  add("bits", wires.bits(model, field))
  add("on_device", view.on_device and "1")
  add("at", places_of(field))
  add("vector", field.vector and VECTORS[field.vector.kind])
  add("reverses", view.any_reverses and view.reverses)
  add("reversed", folds_over(field) and "1")
  add("direction", field.directions and "directions_of_" .. field.name)
  return entries
end

local function add_to_fields(views, model)
  for f, field in ipairs(model.fields) do
    views[f].check_entries = entries_of_field(model, field, views[f])
    views[f].check_directions = field.directions and braced(field.directions)
  end
end

local STENCILS = { box = "HX_CHECK_BOX", star = "HX_CHECK_STAR", list = "HX_CHECK_LIST" }

local function add_to_exchanges(views, model)
  for e, exchange in ipairs(model.exchanges) do
    local view = views[e]
    local entries = { ".stencil = " .. STENCILS[view.stencil] }
    if view.listed then
      entries[2] = ".direction = directions_of_" .. view.name
      entries[3] = (".directions = %d"):format(#view.listed)
    end
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
        extents[#extents + 1] = { words = ("%s of tile %d%s"):format(axis, tile - 1, entry.name and ", " .. entry.name or "") }
        number[first] = #extents
      end
      row[a] = number[first] - 1
    end
    rows[tile] = braces(row)
  end
  return extents, rows
end

-- Whom each end of each axis of each tile meets, for the check program.
local function side_rows(plan)
  local axes, rows = #plan.model.grid.axes, {}
  for tile = 1, plan.tiles do
    rows[tile] = {}
    for a = 1, axes do rows[tile][a] = { "{-1, {{0}}}", "{-1, {{0}}}" } end
  end
  for _, join in ipairs(tiles.sides(plan.model.grid)) do
    local runs = {}
    for s, p in ipairs(join.P) do
      runs[s] = braces { p.axis - 1, p.sign, join.t[s].destination_cells, join.t[s].source_cells }
    end
    for a, side in ipairs(join.direction) do
      if side ~= 0 then rows[join.tile][a][side < 0 and 1 or 2] = braces { join.source - 1, braces(runs) } end
    end
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
  return fold and { along = fold.along - 1, across = fold.axis - 1, sign = fold.sign, pivot = fold.along_at == "center" and 1 or 0,
    inset = fold.across_at == "center" and 1 or 0 } or false
end

-- ---- the view -----------------------------------------------------------------------------------------------------

-- "point[0], point[1]"
local function point_arguments(axes)
  local out = {}
  for a = 1, axes do out[a] = ("point[%d]"):format(a - 1) end
  return table.concat(out, ", ")
end

-- The most layers that an exchange fills along each axis.
local function deepest_of(plan)
  local deepest = {}
  for a = 1, #plan.model.grid.axes do
    deepest[a] = 0
    for _, planned in ipairs(plan.exchanges) do
      for _, item in ipairs(planned.items) do deepest[a] = math.max(deepest[a], item.lo[a], item.hi[a]) end
    end
  end
  return deepest
end

-- Device code has kernels for rows of more than 256 bytes, and moves those of more than 2048 in pieces: points of which all
-- fields have the one, and those with the widest type the other; an odd number, so that rows begin at all places between two
-- multiples of 16 bytes.
local function long_row(fields)
  local narrow, wide = math.huge, 0
  for _, field in ipairs(fields) do
    if memory.on_device(field) then narrow, wide = math.min(narrow, field.ctype.size), math.max(wide, field.ctype.size) end
  end
  return math.max(256 // narrow, 2048 // wide) // 8 * 8 + 21
end

-- The axis along which a grid is cut so that rows along another one travel: the last that will do; nil if none does.
local function cut_for_rows(plan, along, deepest)
  local grid, found = plan.model.grid, nil
  for a in ipairs(grid.axes) do
    if a ~= along and grid.decomposed[a] and not grid.cells[a] and deepest[a] > 0 then found = a end
  end
  return found
end

-- A grid whose rows are long in the memory of a device, and which is thin otherwise.  False without fields there, where an
-- extent is fixed or no other axis is cut, and for tiles and lists, of whose axes one is as long as another or whose points
-- travel one by one.
local function long_view(plan, refusable)
  local model = plan.model
  local grid = model.grid
  if not memory.any_on_device(model) or grid.kind == "tiles" or grid.is_list then return false end
  local on_device
  for _, field in ipairs(model.fields) do on_device = on_device or memory.on_device(field) and field end
  local along, deepest = on_device.order[1], deepest_of(plan)
  local cut = cut_for_rows(plan, along, deepest)
  if not cut or grid.cells[along] then return false end
  local cells = {}
  -- Walls and folds need as many points as a halo is deep, and some placements one more.
  local function depth(a) return refusable and deepest[a] or 0 end
  for a in ipairs(grid.axes) do
    cells[a] = a == along and long_row(model.fields) or a == cut and 0 or grid.cells[a] or depth(a) + 1
  end
  return { along = grid.axes[along], cut_name = grid.axes[cut], cut = cut - 1, depth = depth(cut), cells = braces(cells) }
end

-- Adds to a view that emit.view has made.
function emit_check.add(view, plan)
  local tiled, folded = tiled_view(plan), folded_view(plan.model.grid)
  local turns = tiled ~= false or folded ~= false
  add_to_fields(view.fields, plan.model)
  add_to_exchanges(view.exchanges, plan.model)
  view.deepest = math.max(table.unpack(deepest_of(plan)))
  view.tiled, view.folded = tiled, folded
  view.refusable = turns -- create may find a grid too thin
  for _, exchange in ipairs(plan.model.exchanges) do view.refusable = view.refusable or exchange.fills end
  view.long = long_view(plan, view.refusable)
  view.cuda_exchanges = false
  for _, exchange in ipairs(view.exchanges) do view.cuda_exchanges = view.cuda_exchanges or exchange.on_device end
  view.point_arguments = point_arguments(view.dimensions)
end

return emit_check
