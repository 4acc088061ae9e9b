-- Sentences and tables of the emitted header: what a user wants to know of grid, fields and exchanges.

local emit_cycles = require "emit.emit_cycles"
local fold = require "grids.fold"
local memory = require "model.memory"
local operations = require "model.operations"
local params = require "language.params"
local prose_bytes = require "emit.prose_bytes"
local prose_exchange = require "emit.prose_exchange"
local tiles = require "grids.tiles"

local prose = {}

local WIDTH, LONGEST_SHORT = 96, 112

-- Joins words with commas into lines of at most `width` characters.
local function wrap(words, width)
  local lines, line = {}, ""
  for i, word in ipairs(words) do
    local piece = i < #words and word .. "," or word
    if line == "" then
      line = piece
    elseif #line + 1 + #piece <= width then
      line = line .. " " .. piece
    else
      lines[#lines + 1], line = line, piece
    end
  end
  lines[#lines + 1] = line
  return lines
end

-- "x", "x and y", "x, y and z"
local function enumerate(words)
  if #words < 2 then return words[1] or "" end
  return table.concat(words, ", ", 1, #words - 1) .. " and " .. words[#words]
end

local function axes_where(grid, test)
  local names = {}
  for a, name in ipairs(grid.axes) do
    if test(a) then names[#names + 1] = name end
  end
  return names
end

-- How tiles hang together.
local function tile_lines(plan)
  local grid, names, lines = plan.model.grid, {}, {}
  for t, tile in ipairs(grid.tiles) do
    if tile.name ~= tostring(t - 1) then names[#names + 1] = ("%d %s"):format(t - 1, tile.name) end
  end
  for l, line in ipairs(#names > 0 and wrap(names, WIDTH - 8) or {}) do
    lines[l] = (l == 1 and "Tiles: " or "       ") .. line
  end
  if #grid.connections > 0 then lines[#lines + 1] = "Sides that meet, and where axes of the first tile run in the second:" end
  for _, connection in ipairs(grid.connections) do
    local side, source_side, turned = tiles.words(grid.axes, connection)
    lines[#lines + 1] = ("    tile %d %s, tile %d %s%s"):format(connection.tile - 1, side, connection.source - 1, source_side,
      turned and ": " .. turned or "")
  end
  return lines
end

-- A grid of points without boxes.
local function list_lines(grid)
  local points, level = grid.axes[1], grid.axes[2]
  local lines = { ("Index list: each rank has any number of points along %s.  Create is given lists that say who feeds whom."):format(points) }
  if level then
    lines[2] = ("Each point travels with %s along %s."):format(grid.cells[2] and "its " .. grid.cells[2] .. " points"
      or "all its points, as many on all ranks,", level)
  end
  return lines
end

local function grid_lines(plan)
  local grid = plan.model.grid
  local lines = {}
  local periodic = axes_where(grid, function(a) return grid.periodic[a] end)
  local walls = axes_where(grid, function(a) return not grid.periodic[a] end)
  local topology = {}
  if #periodic > 0 then topology[#topology + 1] = "periodic along " .. enumerate(periodic) end
  if #walls > 0 then topology[#topology + 1] = "walls across " .. enumerate(walls) end
  if grid.is_list then return list_lines(grid) end
  if grid.kind == "cartesian" then
    lines[1] = ("Cartesian, %s %s; %s."):format(#grid.axes == 1 and "axis" or "axes", enumerate(grid.axes), table.concat(topology, "; "))
  else
    lines[1] = ("%s, %d tile%s, axes %s."):format(grid.title or grid.kind, plan.tiles, plan.tiles == 1 and "" or "s", enumerate(grid.axes))
  end
  if grid.fold then
    lines[1] = ("Folded, axes %s: closed along %s; side %s is folded onto itself and pivots on %s."):format(
      enumerate(grid.axes), grid.axes[grid.fold.along], fold.side_words(grid), fold.pivot_words(grid))
  end
  local fixed = {}
  for a, name in ipairs(grid.axes) do
    if grid.cells[a] then fixed[#fixed + 1] = ("%d cells along %s"):format(grid.cells[a], name) end
  end
  lines[2] = #fixed > 0 and ("Always %s; any number along other axes."):format(enumerate(fixed))
    or "Any number of cells."
  if #fixed == #grid.axes then lines[2] = ("Always %s."):format(enumerate(fixed)) end
  local whole = axes_where(grid, function(a) return not grid.decomposed[a] end)
  lines[3] = #whole > 0 and ("Not decomposed along %s: every block holds %s whole."):format(enumerate(whole), #whole == 1 and "this axis" or "these axes")
    or "Decomposed along any axis."
  if grid.first_fastest then
    lines[4] = ("Blocks are numbered along %s first, and so are the ranks that have one each."):format(grid.axes[1])
  end
  return grid.connections and table.move(tile_lines(plan), 1, #tile_lines(plan), #lines + 1, lines) or lines
end

-- "2" where both sides agree, "1:2" (low:high) where not.
local function layers(sides, axes)
  local words = {}
  for a in ipairs(axes) do
    local lo, hi = sides.lo[a], sides.hi[a]
    words[a] = lo == hi and tostring(lo) or ("%d:%d"):format(lo, hi)
  end
  return table.concat(words, ", ")
end

-- Pads the columns of a table of words.
local function align(rows)
  local width = {}
  for _, row in ipairs(rows) do
    for c, cell in ipairs(row) do width[c] = math.max(width[c] or 0, #cell) end
  end
  local lines = {}
  for r, row in ipairs(rows) do
    local cells = {}
    for c, cell in ipairs(row) do
      cells[c] = c < #row and cell .. (" "):rep(width[c] - #cell) or cell
    end
    lines[r] = table.concat(cells, "  ")
  end
  return lines
end

local POSITIONS = {
  center = { "(center: point i lies in the middle of cell i)" },
  low = { "(low: point i lies on the face below cell i)" },
  high = { "(high: point i lies on the face above cell i)" },
  both = {
    "(both: points 0 ... n lie on all faces of the n cells, point i below cell i; blocks that meet",
    " at a face both own its point, which is no ghost point: exchanges of shared points make the two equal)",
  },
}

-- Where points lie, if any lie elsewhere than in the middle of cells.
local function position_lines(plan)
  local fields, met = plan.model.fields, {}
  for _, field in ipairs(fields) do
    for _, at in ipairs(field.at) do met[at] = true end
  end
  if plan.model.grid.is_list then
    return met.both and { ("(both: one point more along %s than others have)"):format(plan.model.grid.axes[2]) } or {}
  end
  local lines = {}
  for _, position in ipairs { "center", "low", "high", "both" } do
    for _, line in ipairs(met[position] and POSITIONS[position] or {}) do lines[#lines + 1] = line end
  end
  return #lines == 1 and met.center and {} or lines
end

local function vector_lines(plan)
  local lines = {}
  for _, vector in ipairs(plan.model.vectors or {}) do
    local components = {}
    for a, field in ipairs(vector.fields) do
      components[a] = ("%s along %s"):format(field.name, plan.model.grid.axes[a])
    end
    lines[#lines + 1] = ("(%s %s: %s)"):format(vector.kind == "unsigned" and "unsigned vector" or vector.kind, vector.name,
      enumerate(components))
  end
  return lines
end

-- "4 points along x, 1 along y", for each axis with a number; what: "point" or nothing.
local function per_axis(numbers, axes, what)
  local words = {}
  for a, number in ipairs(numbers) do
    local noun = what and #words == 0 and (number == 1 and " " .. what or " " .. what .. "s") or ""
    if number ~= 0 then words[#words + 1] = ("%d%s along %s"):format(number, noun, axes[a]) end
  end
  return enumerate(words)
end

-- A line for all fields about which `text` says the same; nothing about those for which it returns nil.
local function grouped(fields, text)
  local lines, groups = {}, {}
  for _, field in ipairs(fields) do
    local said = text(field)
    if said and not groups[said] then
      groups[said] = { said = said }
      groups[#groups + 1] = groups[said]
    end
    if said then table.insert(groups[said], field.name) end
  end
  for g, group in ipairs(groups) do
    lines[g] = ("(%s: %s)"):format(#group <= 6 and table.concat(group, ", ") or #group .. " fields", group.said)
  end
  return lines
end

local function memory_lines(plan)
  local axes, fields = plan.model.grid.axes, plan.model.fields
  local lines = grouped(fields, function(field)
    return memory.on_device(field) and "in the memory of a device" or nil
  end)
  for _, more in ipairs { grouped(fields, function(field)
    return field.behind and "the halo lies behind the owned points, a plane for each side with a neighbor" or nil
  end), grouped(fields, function(field)
    return memory.any(field.padding) and ("padded beyond the %s by "):format(field.behind and "owned points" or "halo") .. per_axis(field.padding, axes, "point") or nil
  end), grouped(fields, function(field)
    local fixed = memory.fixed_strides(field)
    return memory.any(fixed) and "fixed strides, " .. per_axis(fixed, axes, "element") or nil
  end) } do
    table.move(more, 1, #more, #lines + 1, lines)
  end
  return lines
end

-- "x y z", fastest first; with the number of components where they lie: "[19] x y z".
local function memory_text(grid, field)
  local words = {}
  for i, axis in ipairs(field.order) do words[i] = grid.axes[axis] end
  if field.components then
    table.insert(words, field.components.after + 1, ("[%d]"):format(field.components.count))
  end
  return table.concat(words, " ")
end

local function any_components(fields)
  for _, field in ipairs(fields) do
    if field.components then return true end
  end
  return false
end

-- The directions of components, several on a line.
local function direction_lines(plan)
  local lines = {}
  for _, field in ipairs(plan.model.fields) do
    local words = {}
    for c, direction in ipairs(field.directions or {}) do
      words[c] = ("%d (%s)"):format(c - 1, table.concat(direction, ", "))
    end
    for l, line in ipairs(field.directions and wrap(words, WIDTH - #field.name - 24) or {}) do
      lines[#lines + 1] = l == 1 and ("(%s travels, component (direction): %s"):format(field.name, line) or " " .. line
    end
    if #words > 0 then lines[#lines] = lines[#lines] .. ")" end
  end
  return lines
end

local function field_lines(plan)
  local grid = plan.model.grid
  local axes = table.concat(grid.axes, ", ")
  local positions = position_lines(plan)
  local rows = { { "name", "type", "memory" } }
  local function add(row, cell)
    row[#row + 1] = cell
  end
  if #positions > 0 then add(rows[1], "points along " .. axes) end
  local listed = grid.is_list
  if not listed then add(rows[1], "halo along " .. axes .. " (low:high)") end
  for f, field in ipairs(plan.model.fields) do
    rows[f + 1] = { field.name, field.type, memory_text(grid, field) }
    if #positions > 0 then add(rows[f + 1], table.concat(field.at, ", ")) end
    if not listed then add(rows[f + 1], layers(field.halo, grid.axes)) end
  end
  local lines = align(rows)
  for _, list in ipairs { memory_lines(plan), positions, vector_lines(plan), direction_lines(plan) } do
    for _, line in ipairs(list) do lines[#lines + 1] = line end
  end
  local told = {}
  for _, field in ipairs(plan.model.fields) do
    local ctype = field.ctype
    if ctype.kind == "struct" and not told[ctype.name] then
      lines[#lines + 1] = ("(%s: %d bytes, from %s; copied whole)"):format(ctype.name, ctype.size, ctype.header)
      told[ctype.name] = true
    end
  end
  return lines
end

local function fields_title(plan)
  return "Fields; memory: axes from the fastest to the slowest"
    .. (any_components(plan.model.fields) and ", and where among them the [components] lie" or "")
end

-- Axes across which an exchange fills anything.
local function reached_axes(plan, planned)
  return axes_where(plan.model.grid, function(a)
    for _, item in ipairs(planned.items) do
      if item.lo[a] > 0 or item.hi[a] > 0 then return true end
    end
    return false
  end)
end

local function stencil_text(plan, planned)
  return prose_exchange.stencil(plan, planned, reached_axes(plan, planned))
end

-- Names of an exchange's fields grouped by their width: { { names, text } ... }, in spec order.
local function by_width(plan, planned)
  local axes = plan.model.grid.axes
  local groups, index = {}, {}
  for _, item in ipairs(planned.exchange.items) do
    local text = layers(item, axes)
    if not index[text] then
      groups[#groups + 1] = { names = {}, text = text }
      index[text] = groups[#groups]
    end
    table.insert(index[text].names, item.field.name)
  end
  return groups
end

local function side_name(axes_across, axes)
  return axes_across == 1 and "face" or axes_across < axes and "edge" or "corner"
end

-- "5", or "1 to 5" where directions with so many axes differ; nil where the exchange has none of them.
local function picked_range(planned, i, axes_across)
  local least, most
  for d, direction in ipairs(planned.directions) do
    local across = 0
    for _, side in ipairs(direction) do across = across + math.abs(side) end
    if across == axes_across then
      local count = #planned.picks[i][d]
      least, most = math.min(least or count, count), math.max(most or count, count)
    end
  end
  return least and (least == most and tostring(least) or ("%d to %d"):format(least, most))
end

-- How many components travel, for fields of which not all do: "of 19 components of f, 5 across a face, 1 across an edge".
local function travel_lines(plan, planned)
  local lines, axes = {}, #plan.model.grid.axes
  for i, item in ipairs(planned.items) do
    local parts = {}
    for across = 1, planned.picks[i] and axes or 0 do
      local range, name = picked_range(planned, i, across), side_name(across, axes)
      if range and range ~= "0" then
        parts[#parts + 1] = ("%s across %s %s"):format(range, name == "edge" and "an" or "a", name)
      end
    end
    if planned.picks[i] then
      lines[#lines + 1] = ("Of %d components of %s there travel %s."):format(#item.field.directions, item.field.name,
        table.concat(parts, ", "))
    end
  end
  return lines
end

local function names_of(planned)
  local names = {}
  for i, item in ipairs(planned.exchange.items) do names[i] = item.field.name end
  return names
end

-- The comment over the functions of an exchange of listed points.
local function listed_lines(planned)
  local lines = wrap(names_of(planned), WIDTH)
  for _, more in ipairs { prose_exchange.listed(planned), prose_exchange.formats(planned), prose_exchange.memories(planned) } do table.move(more, 1, #more, #lines + 1, lines) end
  return lines
end

-- The comment over an exchange's functions, as lines.
function prose.exchange(plan, planned)
  if plan.model.grid.is_list then return listed_lines(planned) end
  local lines = {}
  local axes = table.concat(plan.model.grid.axes, ", ")
  for _, group in ipairs(by_width(plan, planned)) do
    for _, line in ipairs(wrap(group.names, WIDTH)) do lines[#lines + 1] = line end
    lines[#lines] = lines[#lines] .. (planned.shared and "" or (": %s layer%s along %s"):format(group.text, group.text == "1" and "" or "s", axes))
  end
  if not planned.shared then lines[#lines + 1] = stencil_text(plan, planned) .. "." end
  for _, more in ipairs { travel_lines(plan, planned), prose_exchange.formats(planned), prose_exchange.memories(planned), prose_exchange.direction_lines(plan, planned),
    prose_exchange.rewritten(plan, planned), prose_exchange.shared(plan, planned), prose_exchange.sums(planned), prose_exchange.walls(plan, planned) } do
    table.move(more, 1, #more, #lines + 1, lines)
  end
  return lines
end

local function exchange_lines(plan)
  local rows = {}
  for e, planned in ipairs(plan.exchanges) do
    local names = names_of(planned)
    local list = #names <= 6 and table.concat(names, ", ") or #names .. " fields"
    local what = { list, prose_exchange.shared_in_short(planned)
      or not plan.model.grid.is_list and stencil_text(plan, planned) or nil,
      prose_exchange.walls_in_short(plan, planned) }
    if operations.returns(planned.exchange) then table.insert(what, 1, operations.verb[planned.exchange.operation]) end
    rows[e] = { planned.exchange.name, table.concat(what, "; ") }
  end
  return align(rows)
end

-- "layers 2 to 3 below x of u, v" for every axis and side where halos are deeper than the exchange is wide.
local function layer_texts(layers)
  local groups, index = {}, {}
  for _, layer in ipairs(layers) do
    local first = layer.width + 1
    local which = first == layer.halo and "layer " .. first or ("layers %d to %d"):format(first, layer.halo)
    local text = ("%s %s %s of "):format(which, layer.side == "lo" and "below" or "above", layer.axis)
    if not index[text] then
      groups[#groups + 1] = { text = text, names = {} }
      index[text] = groups[#groups]
    end
    table.insert(index[text].names, layer.field.name)
  end
  local texts = {}
  for g, group in ipairs(groups) do
    local names = #group.names <= 6 and table.concat(group.names, ", ") or #group.names .. " fields"
    texts[g] = group.text .. names
  end
  return texts
end

local function direction_text(grid, direction)
  local words = {}
  for a, sense in ipairs(direction) do
    if sense ~= 0 then words[#words + 1] = (sense < 0 and "below " or "above ") .. grid.axes[a] end
  end
  return enumerate(words)
end

-- Sides of an exchange, those in equal directions together: each with a text, the numbers of its tiles and the axes across
-- which it lies.
local function side_groups(grid, sides)
  local groups = {}
  for _, side in ipairs(sides) do
    local text = direction_text(grid, side.direction)
    if not groups[text] then
      groups[text] = { text = text, tiles = {}, axes = axes_where(grid, function(a) return side.direction[a] ~= 0 end) }
      groups[#groups + 1] = groups[text]
    end
    table.insert(groups[text].tiles, side.tile - 1)
  end
  return groups
end

local function tiles_text(plan, numbers)
  if plan.tiles == 1 then return "" end
  return (#numbers == 1 and "tile " .. numbers[1] or #numbers == plan.tiles and "all tiles" or "tiles " .. table.concat(numbers, ", ")) .. ": "
end

-- Is there a tile beyond all sides across these two axes?
local function closed_across(plan, axes)
  local joined = 0
  for _, join in ipairs(#axes == 2 and plan.model.grid.connections and tiles.sides(plan.model.grid) or {}) do
    for a, name in ipairs(plan.model.grid.axes) do
      if join.direction[a] ~= 0 and (name == axes[1] or name == axes[2]) then joined = joined + 1 end
    end
  end
  return joined == 4 * plan.tiles
end

-- "all tiles: below y"; where an exchange leaves all corners between some axes, they are one text.
local function side_texts(plan, sides)
  local grid, texts, alike = plan.model.grid, {}, {}
  local groups = side_groups(grid, sides)
  for _, group in ipairs(groups) do
    group.which = tiles_text(plan, group.tiles)
    group.across = group.which .. enumerate(group.axes)
    alike[group.across] = (alike[group.across] or 0) + 1
  end
  for _, group in ipairs(groups) do
    local axes, count = #group.axes, alike[group.across]
    if axes == 1 or count > 0 and count < 2 ^ axes then
      texts[#texts + 1] = group.which .. group.text
    elseif count > 0 then
      texts[#texts + 1] = ("%sthe %ss between %s%s"):format(group.which, side_name(axes, #grid.axes), enumerate(group.axes),
        closed_across(plan, group.axes) and ", where other than four tiles meet" or "")
      alike[group.across] = 0
    end
  end
  return texts
end

local function untouched_lines(plan)
  local lines = {}
  for e, planned in ipairs(plan.exchanges) do
    local claims = plan.claims[e]
    local texts = prose_exchange.walls_untouched(claims.walls)
    if claims.all then texts[#texts + 1] = "all of them" end
    if claims.corners then texts[#texts + 1] = "edges and corners of the halo" end
    if claims.others then texts[#texts + 1] = "the halo in other directions" end
    for _, item in ipairs(planned.exchange.items) do
      if item.field.directions then
        texts[#texts + 1] = ("components of %s that do not move from there into the block"):format(item.field.name)
      end
    end
    for _, text in ipairs(side_texts(plan, claims.sides)) do texts[#texts + 1] = text end
    for _, text in ipairs(layer_texts(claims.layers)) do texts[#texts + 1] = text end
    for i, text in ipairs(texts) do
      lines[#lines + 1] = { i == 1 and planned.exchange.name or "", text }
    end
  end
  if #lines == 0 then return { "those of fields that it does not name." } end
  lines = align(lines)
  lines[#lines + 1] = "and every field that an exchange does not name.  These points are yours: they keep what you wrote."
  return lines
end

-- The parameters of the spec, as they were when it was generated; none if there are none.
local function param_lines(model)
  local rows = {}
  for i, param in ipairs(model.params or {}) do
    rows[i] = { param.name, "= " .. params.shown(param.value), ("%s; default %s%s"):format(params.range(param),
      params.shown(param.default), param.text and "; " .. param.text or "") }
  end
  return align(rows)
end

-- What is said in one line is a sentence behind the title; of the only exchange the title gives the name.
local function in_short(section, plan)
  local only = #plan.exchanges == 1 and plan.exchanges[1].exchange.name
  local line = section.lines[1]
  if only and #section.lines == 1 and line:sub(1, #only + 1) == only .. " " then line = line:sub(#only + 1):gsub("^ +", "") end
  if #section.lines > 1 and section.title == "Grid" then line = table.concat(section.lines, "  ") end
  local title = section.title == "Exchanges" and only and "Exchange " .. only or section.title
  local text = ("%s: %s"):format(title, line)
  section.text = (#section.lines == 1 or section.title == "Grid") and #text <= LONGEST_SHORT and text or nil
  return section
end

local function sections(plan, cells_name)
  if plan.model.grid.is_list then
    return {
      { title = "Grid", lines = grid_lines(plan) },
      { title = fields_title(plan), lines = field_lines(plan) },
      { title = "Exchanges", lines = exchange_lines(plan) },
      { title = "Bytes that travel with each point", lines = align(prose_bytes.of_points(plan)) },
    }
  end
  local out = {
    { title = "Grid", lines = grid_lines(plan) },
    { title = fields_title(plan), lines = field_lines(plan) },
    { title = "Exchanges", lines = exchange_lines(plan) },
    { title = "Bytes that a block with neighbors on all sides receives, its own included",
      lines = align(prose_bytes.received(plan, cells_name)) },
    { title = "Ghost points that an exchange leaves as they are", lines = untouched_lines(plan) },
  }
  if #plan.cycles > 0 then
    table.insert(out, 4, {
      title = ("Cycles; layers of the halo that steps read, along %s (low:high)"):format(table.concat(plan.model.grid.axes, ", ")),
      lines = align(emit_cycles.rows(plan)),
    })
  end
  return out
end

-- The sections of the header's opening comment, each a title and lines, and perhaps a text in one line that says it all.
function prose.manual(plan, cells_name)
  local out = sections(plan, cells_name)
  if plan.model.params then table.insert(out, 1, { title = "Parameters", lines = param_lines(plan.model) }) end
  for _, section in ipairs(out) do in_short(section, plan) end
  return out
end

return prose
