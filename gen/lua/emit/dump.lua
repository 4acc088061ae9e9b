-- `--dump model | links | plan`: what the generator has worked out, as text.
--
-- The links are meant for programs.  One statement a line, words separated by one space; axes, tiles, positions, fields
-- and exchanges are counted from 0, as in <hx/abi.h>; lists have one entry per axis:
--
--   links NAME
--   axes NAME …
--   cells N …                        fixed extents of a tile; 0: any
--   tiles N
--   blocks first-fastest             numbers of blocks rise along axis 0 first; without such a line, along the last one
--   positions C extra N …            points beyond the cells of a block
--   link tile T direction D … source T component A sign S map AXIS SIGN DESTINATION_CELLS SOURCE_CELLS OFFSET …
--                                    of the positions above; one group of five per axis of the source (hx_axis_map);
--                                    component -1: the field itself
--   rewrite … lo HALVES OFFSET … hi HALVES OFFSET …
--                                    what a link has, and the box of owned points that it is for, hx_bound per axis
--   field F NAME positions C         with components also: components N place P (axes faster in memory than they are);
--                                    components of a vector: vector F … (-1: the vector has none along the axis)
--   exchange E NAME
--   shared RULE                      the exchange above is of points that several blocks own; RULE says who decides about them, and
--                                    its directions are sides of blocks.  Other exchanges have no such line
--   direction D …                    of the exchange above
--   carries F lo N … hi N …          a field of the exchange above and its widths, in layout order; with "wire FORMAT" behind
--                                    that if its numbers travel shorter than they are
--   picks D components C …           those of the field above that come from direction D; without such lines all do
--
-- The model and the plan are meant for people; they count tiles and positions from 1 (components from 0, as in C).

local emit_cycles = require "emit.emit_cycles"
local fold = require "grids.fold"
local memory = require "model.memory"
local operations = require "model.operations"
local shared = require "plan.shared"
local tiles = require "grids.tiles"

local dump = {}

local function join(list)
  local words = {}
  for i, value in ipairs(list) do words[i] = tostring(value) end
  return table.concat(words, " ")
end

local function from_zero(list)
  local numbers = {}
  for i, number in ipairs(list) do numbers[i] = number - 1 end
  return join(numbers)
end

local function vectors(list)
  local words = {}
  for i, vector in ipairs(list) do words[i] = ("(%s)"):format(table.concat(vector, ",")) end
  return table.concat(words, " ")
end

-- ---- links ----------------------------------------------------------------------------------------------------------

local function link_line(word, link)
  local numbers = {}
  for s, m in ipairs(link.map) do
    numbers[s] = join { m.axis - 1, m.sign, m.destination_cells, m.source_cells, m.offset }
  end
  return ("%s tile %d direction %s source %d component %d sign %d map %s"):format(
    word, link.tile - 1, join(link.direction), link.source - 1, link.component - 1, link.sign, join(numbers))
end

local function bounds(list)
  local numbers = {}
  for a, bound in ipairs(list) do numbers[a] = bound.halves .. " " .. bound.offset end
  return join(numbers)
end

local function field_line(field, positions)
  local line = ("field %d %s positions %d"):format(field.index - 1, field.name, positions - 1)
  if field.components then line = ("%s components %d place %d"):format(line, field.components.count, field.components.after) end
  if not field.vector then return line end
  local components = {}
  for a = 1, #field.at do
    local component = field.vector.fields[a]
    components[a] = component and component.index - 1 or -1
  end
  return line .. " vector " .. join(components)
end

function dump.links(plan)
  local model = plan.model
  local cells = {}
  for a = 1, #model.grid.axes do cells[a] = model.grid.cells[a] or 0 end
  local lines = {
    "links " .. model.name,
    "axes " .. join(model.grid.axes),
    "cells " .. join(cells),
    "tiles " .. plan.tiles,
  }
  local function add(line) lines[#lines + 1] = line end
  if model.grid.first_fastest then add("blocks first-fastest") end
  for c, positions in ipairs(plan.positions) do
    add(("positions %d extra %s"):format(c - 1, join(positions.extra)))
    for _, link in ipairs(positions.links) do add(link_line("link", link)) end
    for _, box in ipairs(positions.rewrites) do
      add(("%s lo %s hi %s"):format(link_line("rewrite", box.link), bounds(box.lo), bounds(box.hi)))
    end
  end
  for _, field in ipairs(model.fields) do add(field_line(field, plan.positions_of[field.index])) end
  for e, planned in ipairs(plan.exchanges) do
    add(("exchange %d %s"):format(e - 1, planned.exchange.name))
    if planned.shared then add("shared " .. planned.shared) end
    for _, direction in ipairs(planned.directions) do add("direction " .. join(direction)) end
    for i, item in ipairs(planned.items) do
      add(("carries %d lo %s hi %s%s"):format(item.field.index - 1, join(item.lo), join(item.hi), item.wire and " wire " .. item.wire or ""))
      for d, picked in ipairs(planned.picks[i] or {}) do add(("picks %d components %s"):format(d - 1, from_zero(picked))) end
    end
  end
  return table.concat(lines, "\n") .. "\n"
end

-- ---- model ----------------------------------------------------------------------------------------------------------

local function yes(list)
  local words = {}
  for i, value in ipairs(list) do words[i] = value and "yes" or "no" end
  return table.concat(words, " ")
end

local function axis_names(grid, order)
  local names = {}
  for i, a in ipairs(order) do names[i] = grid.axes[a] end
  return table.concat(names, " ")
end

local function cells_text(grid)
  local words = {}
  for a in ipairs(grid.axes) do words[a] = grid.cells[a] and tostring(grid.cells[a]) or "any" end
  return table.concat(words, " ")
end

local function place_of_components(grid, field)
  local place = field.components.after
  if place == 0 then return "innermost" end
  return place == #field.order and "outermost" or "after " .. grid.axes[field.order[place]]
end

-- "2 2 1", or "lo 2 2 1 hi 2 2 0" where the sides differ.
local function layers(sides)
  local lo, hi = join(sides.lo), join(sides.hi)
  return lo == hi and lo or ("lo %s hi %s"):format(lo, hi)
end

local function place(where)
  return ("  (line %d)"):format(where.line)
end

-- "box", or the directions of a list: "(1,0) (-1,0)".
local function stencil_text(stencil)
  return type(stencil) == "string" and stencil or vectors(stencil)
end

local function grid_lines(grid, add)
  add("grid %s%s", grid.kind, place(grid.where))
  add("  axes        %s", join(grid.axes))
  add("  periodic    %s", yes(grid.periodic))
  add("  decomposed  %s", yes(grid.decomposed))
  add("  cells       %s", cells_text(grid))
  add("  memory      %s, fastest first", axis_names(grid, grid.order))
  if grid.first_fastest then add("  blocks      numbered along %s first", grid.axes[1]) end
  if grid.fold then
    add("  folded      side %s, along %s, about %s", fold.side_words(grid), grid.axes[grid.fold.along], fold.pivot_words(grid))
  end
  for _, tile in ipairs(grid.tiles or {}) do add("  tile        %s", tile.name) end
  for _, connection in ipairs(grid.connections or {}) do
    local side, source_side, turned = tiles.words(grid.axes, connection)
    add("  connected   tile %d %s, tile %d %s%s", connection.tile, side, connection.source, source_side,
      turned and ": " .. turned or "")
  end
end

local function field_lines(grid, field, add)
  add("field %s%s", field.name, place(field.where))
  add("  type        %s, %d bytes", field.type, field.ctype.size)
  if not grid.is_list then add("  halo        %s%s", layers(field.halo), field.behind and ", behind the owned points" or "") end
  add("  at          %s", join(field.at))
  add("  memory      %s", axis_names(grid, field.order))
  if memory.on_device(field) then add("  lies        in the memory of a device") end
  if field.components then
    add("  components  %d, %s", field.components.count, place_of_components(grid, field))
  end
  if field.directions then add("  directions  %s", vectors(field.directions)) end
  if memory.any(field.padding) then add("  padding     %s", join(field.padding)) end
  if field.vector then add("  vector      %s%s, component along %s", field.vector.name,
    field.vector.kind == "vector" and "" or ", " .. field.vector.kind, grid.axes[field.component]) end
end

local function as_format(item)
  return item.wire and ", as " .. item.wire or ""
end

local function model_exchange_lines(grid, exchange, add)
  add("exchange %s%s", exchange.name, place(exchange.where))
  if exchange.shared then
    add("  only        shared points, %s", exchange.shared)
  elseif not grid.is_list then
    add("  stencil     %s", stencil_text(exchange.stencil))
  end
  if exchange.operation ~= "copy" then add("  operation   %s", exchange.operation) end
  if exchange.operation == "add" and exchange.keeps then add("  ghosts      keep") end
  if exchange.sums then add("  sums        %s", exchange.sums) end
  if exchange.fills then add("  boundary    lo %s hi %s", join(exchange.boundary.lo), join(exchange.boundary.hi)) end
  for _, item in ipairs(exchange.items) do
    add("  field       %s%s%s", item.field.name, grid.is_list and "" or ", width " .. layers(item), as_format(item))
  end
end

function dump.model(plan)
  local model = plan.model
  local lines = { ("spec %s, hash %s"):format(model.name, model.hash) }
  local function add(...) lines[#lines + 1] = string.format(...) end
  grid_lines(model.grid, add)
  for _, field in ipairs(model.fields) do field_lines(model.grid, field, add) end
  for _, exchange in ipairs(model.exchanges) do model_exchange_lines(model.grid, exchange, add) end
  return table.concat(lines, "\n") .. "\n"
end

-- ---- plan -----------------------------------------------------------------------------------------------------------

-- The source index along axis s, like "-x + m_y - 1": n_x are the cells of the tile along x, m_y those of the source.
local function map_text(grid, map, s)
  local text = (map.sign < 0 and "-" or "") .. grid.axes[map.axis]
  local function add(number, name)
    if number == 0 then return end
    local size = name and (math.abs(number) == 1 and name or math.abs(number) .. " " .. name) or math.abs(number)
    text = ("%s %s %s"):format(text, number < 0 and "-" or "+", size)
  end
  add(map.destination_cells, "n_" .. grid.axes[map.axis])
  add(map.source_cells, "m_" .. grid.axes[s])
  add(map.offset)
  return text
end

local function side_text(grid, direction)
  local words = {}
  for a, side in ipairs(direction) do
    if side ~= 0 then words[#words + 1] = (side < 0 and "below " or "above ") .. grid.axes[a] end
  end
  return table.concat(words, ", ")
end

local function position_lines(plan, c, add)
  local positions, grid = plan.positions[c], plan.model.grid
  local names = {}
  for _, field in ipairs(plan.model.fields) do
    if plan.positions_of[field.index] == c then names[#names + 1] = field.name end
  end
  add("positions %d: %s", c, table.concat(names, ", "))
  add("  points beyond the cells  %s", join(positions.extra))
  for _, link in ipairs(positions.links) do
    local maps = {}
    for s, map in ipairs(link.map) do maps[s] = map_text(grid, map, s) end
    local what = link.component == 0 and "" or (", component along %s"):format(grid.axes[link.component])
    add("  tile %d, %s  <-  tile %d (%s)%s%s", link.tile, side_text(grid, link.direction), link.source,
      table.concat(maps, ", "), what, link.sign < 0 and ", sign reversed" or "")
  end
end

-- Which points agree with which, and who decides.
local function sharing_lines(plan, planned, add)
  local grid, seen = plan.model.grid, {}
  add("  agree: within tiles, faces where blocks meet: %s", ({ greater = "the block above decides",
    owner = "the block above decides", mean = "the mean", sum = "the sum" })[planned.shared])
  for _, item in ipairs(planned.items) do
    local c = plan.positions_of[item.field.index]
    for _, link in ipairs(seen[c] and {} or plan.positions[c].links) do
      if shared.claims(grid, item, link.direction) and shared.axis_across(link.direction) then
        local maps = {}
        for s, map in ipairs(link.map) do maps[s] = map_text(grid, map, s) end
        local who = shared.decides(grid, planned.shared, link)
        add("  agree: positions %d, tile %d, on its side %s, with tile %d (%s): %s", c, link.tile, side_text(grid, link.direction),
          link.source, table.concat(maps, ", "), who == "both" and "the " .. planned.shared
          or who == "kept" and "what lies on no other decides" or ("tile %d decides"):format(who == "here" and link.tile or link.source)
            .. (link.source == link.tile and (who == "here" and ", here" or ", there") or ""))
      end
    end
    seen[c] = true
  end
end

-- What the exchange does, in one line.
local function head_line(planned, grid, add)
  local exchange = planned.exchange
  local returns = operations.returns(exchange) and operations.verb[exchange.operation] .. ", " or ""
  if exchange.operation == "add" and exchange.keeps then returns = "adds, keeps ghost points, " end
  if grid.is_list then
    add("exchange %s: %swhat lists name at run time", exchange.name, returns)
  else
    local what = planned.shared and "shared points, " .. planned.shared
      or type(exchange.stencil) == "table" and "a list" or exchange.stencil
    add("exchange %s: %s%s, %d directions%s", exchange.name, returns, what, #planned.directions,
      planned.by_dimension and ", may go by dimension" or "")
  end
end

local function item_lines(plan, planned, i, add)
  local item = planned.items[i]
  add("  field %s, %s, positions %d, width %s%s%s", item.field.name, item.field.type, plan.positions_of[item.field.index], layers(item),
    memory.on_device(item.field) and ", on a device" or "", as_format(item))
  for d, picked in ipairs(planned.picks[i] or {}) do
    add("    from %s: %s", side_text(plan.model.grid, planned.directions[d]), #picked > 0 and "components " .. from_zero(picked) or "none")
  end
end

local function corner_lines(planned, grid, add)
  for _, fill in ipairs(planned.corners) do
    for i, item in ipairs(planned.items) do
      for _, link in ipairs(fill.links[i]) do
        local maps = {}
        for s, map in ipairs(link.map) do maps[s] = map_text(grid, map, s) end
        add("  corners along %s: %s, tile %d, %s  <-  (%s)%s%s", grid.axes[fill.axis], item.field.name, link.tile,
          side_text(grid, link.direction), table.concat(maps, ", "), link.component == 0 and ""
          or ", component along " .. grid.axes[link.component], link.sign < 0 and ", sign reversed" or "")
      end
    end
  end
end

local function filled_lines(planned, grid, add)
  for a, name in ipairs(grid.axes) do
    local lo, hi = planned.boundary.lo[a], planned.boundary.hi[a]
    if lo ~= "none" then add("  filled: below %s by %s", name, lo) end
    if hi ~= "none" then add("  filled: above %s by %s", name, hi) end
  end
end

local function untouched_lines(claims, grid, add)
  local walls = { lo = {}, hi = {}, both = {} }
  for _, wall in ipairs(claims.walls) do table.insert(walls[wall.side], wall.axis) end
  for _, side in ipairs { "both", "lo", "hi" } do
    local which = ({ both = "walls", lo = "low walls", hi = "high walls" })[side]
    if #walls[side] > 0 then add("  untouched: beyond the %s across %s", which, table.concat(walls[side], ", ")) end
  end
  for _, side in ipairs(claims.sides) do add("  untouched: tile %d, %s", side.tile, side_text(grid, side.direction)) end
  if claims.all then add("  untouched: the halo") end
  if claims.corners then add("  untouched: edges and corners of the halo") end
  if claims.others then add("  untouched: directions that are not listed") end
  for _, layer in ipairs(claims.layers) do
    add("  untouched: %s, %s side of %s, layers %d to %d", layer.field.name, layer.side == "lo" and "low" or "high",
      layer.axis, layer.width + 1, layer.halo)
  end
end

local function exchange_lines(plan, e, add)
  local planned, grid = plan.exchanges[e], plan.model.grid
  head_line(planned, grid, add)
  for i in ipairs(planned.items) do item_lines(plan, planned, i, add) end
  for _, entry in ipairs(planned.rewritten) do
    for _, field in ipairs(entry.fields) do
      add("  %s: %s, %s", planned.shared and "lies on others" or "rewritten", field.name, fold.words(grid, entry.box))
    end
  end
  if planned.shared then sharing_lines(plan, planned, add) end
  corner_lines(planned, grid, add)
  filled_lines(planned, grid, add)
  untouched_lines(plan.claims[e], grid, add)
end

local function cycle_lines(planned, add)
  add("cycle %s: exchange %s, at most %d", planned.cycle.name, planned.cycle.exchange.name, planned.most)
  for _, step in ipairs(emit_cycles.steps(planned)) do
    add("  step %s %s, layers by cycles that follow: %s", step.name, step.text, table.concat(step.layers, "; "))
  end
end

function dump.plan(plan)
  local lines = { ("plan of %s: %d tile%s"):format(plan.model.name, plan.tiles, plan.tiles == 1 and "" or "s") }
  local function add(...) lines[#lines + 1] = string.format(...) end
  for c in ipairs(plan.positions) do position_lines(plan, c, add) end
  for e in ipairs(plan.exchanges) do exchange_lines(plan, e, add) end
  for _, planned in ipairs(plan.cycles) do cycle_lines(planned, add) end
  return table.concat(lines, "\n") .. "\n"
end

return dump
