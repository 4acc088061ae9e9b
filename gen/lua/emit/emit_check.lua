-- What the views of emit.lua have for the check program alone: how it makes values, and what it must know of fields and of the
-- grid to find out, without links, who feeds a ghost point.

local geometry = require "grids.geometry"
local initializers = require "emit.initializers"
local memory = require "model.memory"
local operations = require "model.operations"
local shared = require "plan.shared"
local tiles = require "grids.tiles"

local emit_check = {}

local braces, braced = initializers.braces, initializers.braced

-- ---- fields -------------------------------------------------------------------------------------------------------

-- How the check program makes a value of a type out of 64 mixed bits: numbers that floating types hold exactly.
local function value_expression(ctype)
  if ctype.kind == "complex" then
    local single = ctype.size == 8
    return {
      type = single and "float" or "double",
      real = single and "(float)(value >> 40)" or "(double)(value >> 12)",
      imaginary = single and "(float)(value & 0xffffff)" or "(double)(value & 0xffffffff)",
    }
  elseif ctype.kind == "float" then
    return ctype.size == 4 and "(value >> 40)" or "(value >> 12)"
  end
  return ({ bool = "(value & 1)", half = "(value >> 53)" })[ctype.kind] or "value"
end

-- Per axis 1 where a field has a point on every face, else 0.
local function faces_of(field)
  local faces = {}
  for a, at in ipairs(field.at) do faces[a] = at == "both" and 1 or 0 end
  return braces(faces)
end

-- 1 if it has so along any axis.
local function any_faces(field)
  return geometry.on_faces(field) and 1 or 0
end

-- 1 if the turn of a fold reverses values of a field: components along its axes, but those that have no sense along them.
local function folds_over(field)
  local fold, vector = field.grid.fold, field.vector
  local turned = fold and vector and (field.component == fold.axis or field.component == fold.along)
  return turned and vector.kind ~= "unsigned" and 1 or 0
end

-- Those of which the check program reckons with numbers.
local function added_fields(model)
  local added = {}
  for _, exchange in ipairs(model.exchanges) do
    for _, item in ipairs((operations.returns(exchange) or shared.combines(exchange.shared)) and exchange.items or {}) do
      added[item.field] = true
    end
  end
  return added
end

local FIRST = { center = 1, low = 0, high = 2, both = 0 }

-- Twice the position of a field's index 0 along each axis, in cells.
local function first_of(field)
  local first = {}
  for a, at in ipairs(field.at) do first[a] = FIRST[at] end
  return braces(first)
end

-- As the check program calls them.
local VECTOR_KINDS = { [false] = "SCALAR", vector = "ARROW", pseudovector = "PSEUDOVECTOR", unsigned = "UNSIGNED" }

-- Adds to the views of fields.
local function add_to_fields(views, model)
  local added = added_fields(model)
  for f, field in ipairs(model.fields) do
    local view = views[f]
    view.number = value_expression(field.ctype)
    view.faces, view.any_faces = faces_of(field), any_faces(field)
    view.folds_over = folds_over(field)
    view.directions = field.directions and braced(field.directions)
    view.first = first_of(field)
    view.added = added[field] or false
    view.vector_kind = VECTOR_KINDS[field.vector and field.vector.kind or false]
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

-- 1 for each exchange with a box.
local function boxes_of(model)
  local boxes = {}
  for e, exchange in ipairs(model.exchanges) do boxes[e] = exchange.stencil == "box" and 1 or 0 end
  return table.concat(boxes, ", ")
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

-- Of what the largest grid is made by default: it is no thinner than the deepest halo, which some grids refuse.
local function largest_of(plan)
  return math.max(9, table.unpack(deepest_of(plan)))
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

-- A grid whose rows are long in the memory of a device, and which is thin otherwise: its cells, and the ranks along its axes,
-- in C.  False without fields there, where an extent is fixed or no other axis is cut, and for tiles and lists, of whose axes
-- one is as long as another or whose points travel one by one.
local function long_view(plan, refusable)
  local model = plan.model
  local grid = model.grid
  if not memory.any_on_device(model) or grid.kind == "tiles" or grid.is_list then return false end
  local on_device
  for _, field in ipairs(model.fields) do on_device = on_device or memory.on_device(field) and field end
  local along, deepest = on_device.order[1], deepest_of(plan)
  local cut = cut_for_rows(plan, along, deepest)
  if not cut or grid.cells[along] then return false end
  local cells, ranks = {}, {}
  for a in ipairs(grid.axes) do
    -- Walls and folds need as many points as a halo is deep, and some placements one more.
    local depth = refusable and deepest[a] or 0
    cells[a] = a == along and long_row(model.fields) or grid.cells[a] or depth + 1
    ranks[a] = 1
    if a == cut then cells[a], ranks[a] = depth > 0 and ("%d * (ranks + 1) + 1"):format(depth) or "ranks", "ranks" end
  end
  return { along = grid.axes[along], cut = grid.axes[cut], cells = braces(cells), ranks = ranks }
end

-- Adds to a view that emit.view has made.
function emit_check.add(view, plan)
  local tiled, folded = tiled_view(plan), folded_view(plan.model.grid)
  local turns = tiled ~= false or folded ~= false
  add_to_fields(view.fields, plan.model)
  view.boxes = boxes_of(plan.model)
  view.largest = largest_of(plan)
  view.tiled, view.folded = tiled, folded
  view.extents = tiled and "EXTENTS" or "AXES"
  view.refusable = view.uses.walls or turns -- create may find a grid too thin
  view.opposites = view.uses.walls or turns
  view.long = long_view(plan, view.refusable)
  view.point_arguments = point_arguments(view.dimensions)
end

return emit_check
