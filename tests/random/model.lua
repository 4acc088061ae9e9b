-- Random models: what a spec says, before it is written down.
--
--   name, seed, number
--   grid        nil for a Cartesian one, else as in connected.lua
--   axes        { name, periodic, decomposed, cells = number or nil }
--   order       the grid's: axes, the fastest first
--   first_fastest  whether blocks are numbered along the first axis first
--   fields      { name, type (types.lua), halo = { lo = {…}, hi = {…} }, order, at = { "center", … }, padding = {…},
--                 behind = whether the halo lies behind the owned points,
--                 wire = how it travels in exchanges that copy halos, and in those that add with rounds,
--                 components, place = axes that are faster than the components, directions = { {…}, … },
--                 vector, normal = the axis of this component }
--   vectors     { name, kind, fields = { number, … } }
--   exchanges   { name, fields = { number, … }, width = { lo, hi } or nil, widths = nil or { [name of a field] = { lo, hi } } for those
--                 that have a width of their own, stencil = "box", "star" or { {…}, … },
--                 add, keeps = ghost points that were added stay as they are, extreme = "min" or "max" in place of the sum,
--                 transpose = number of the exchange that it is the transpose of,
--                 fills = { { lo, hi } per axis } or nil, agree = "greater", "owner", "mean", "sum" or nil: of shared points }
--
-- Whatever is optional in a spec is nil where it is not written.  Models of numbers from 1001 on draw from all grids and from
-- shared points, those before only what Cartesian grids and halos have.

local connected = require "connected"
local dice = require "dice"
local types = require "types"

local model = {}

local last_cartesian = 1000

-- What halogen knows so far; random models keep to it.
model.language = {
  at = true, vectors = true, components = true, directions = true, padding = true,
  lists = true, add = true, fills = true,
  half_adds = true, -- where the compiler has the type (HX_HALF)
  device = false,   -- fields are in the memory of a device, which has no long double
}

local language = model.language

-- The number of a type that has nothing special.
for number, type in ipairs(types) do
  if type.spec == "double" then model.plain_type = number end
end

local axis_names = { { "x", "y", "z", "t" }, { "lon", "lat", "lev", "ens" }, { "k", "j", "i", "m" } }
local field_names = { "u", "v", "w", "p", "q", "temp", "salt", "rho_2", "Cells", "f1", "eta", "mask" }
local exchange_names = { "all", "flow", "sides", "collect", "back", "step_2", "tracers" }

local function each_side(axes, f)
  local sides = { lo = {}, hi = {} }
  for a = 1, axes do
    for _, side in ipairs { "lo", "hi" } do sides[side][a] = f(a, side) end
  end
  return sides
end

-- ---- the grid -------------------------------------------------------------------------------------------------------

local function random_axes(die)
  local count = die.weighted { { 3, 1 }, { 7, 2 }, { 7, 3 }, { 3, 4 } }
  local names, axes = die.pick(axis_names), {}
  for a = 1, count do
    axes[a] = { name = names[a], periodic = die.chance(1, 2), decomposed = die.chance(5, 6),
      cells = die.chance(1, 6) and die.range(1, count > 3 and 4 or 9) or nil }
  end
  return axes
end

-- Whether no side of the grid lets an axis become another one.
local function stays(m, axis)
  for _, sides in ipairs(m.grid.sides or {}) do
    for a in ipairs(m.axes) do
      for _, beyond in pairs(sides[a]) do
        if beyond.to[axis] ~= axis then return false end
      end
    end
  end
  return true
end

-- The axes of a grid that is none of boxes in a row.
local function random_connected(die, m)
  local count
  m.grid, count = connected.random(die)
  local names = die.pick(axis_names)
  m.axes = {}
  for a = 1, count do
    m.axes[a] = { name = names[a], periodic = m.grid.along == a, decomposed = die.chance(5, 6) }
  end
  for a, axis in ipairs(m.axes) do
    if die.chance(1, 8) and stays(m, a) then axis.cells = die.range(5, 7) end
  end
end

local function random_order(die, count)
  local order = {}
  for a = 1, count do order[a] = a end
  if die.chance(1, 3) then return die.permutation(count) end
  if die.chance(1, 3) then table.sort(order, function(x, y) return x > y end) end
  return order
end

-- ---- fields ---------------------------------------------------------------------------------------------------------

local function random_halo(die, m)
  local count = #m.axes
  local most = (m.grid and { 3, 2, 2 } or { 5, 3, 2, 1 })[count]
  local usual = die.range(1, most)
  return each_side(count, function()
    return die.weighted { { 6, usual }, { 2, die.range(0, most) }, { 1, 0 } }
  end)
end

local function random_at(die, count)
  if not language.at or die.chance(1, 2) then return nil end
  local at = {}
  for a = 1, count do at[a] = die.pick { "center", "center", "low", "high", "both" } end
  return at
end

local function random_directions(die, count)
  local list = {}
  for c = 1, die.range(1, 9) do
    list[c] = {}
    for a = 1, count do list[c][a] = die.range(-1, 1) end
  end
  return list
end

local function random_components(die, m, field)
  local count = #m.axes
  if language.directions and not m.grid and die.chance(1, 6) then
    field.directions = random_directions(die, count)
    field.components = #field.directions
    field.place = die.chance(1, 2) and 0 or die.range(1, count)
  elseif language.components and die.chance(1, 4) then
    field.components = die.weighted { { 2, 1 }, { 5, die.range(2, 5) }, { 1, 19 } }
    field.place = die.chance(1, 2) and 0 or die.range(1, count)
  end
end

local function random_type(die)
  local type
  repeat type = die.range(1, #types) until not (language.device and types[type].kind == "VALUE_LONG_DOUBLE")
  return type
end

local function random_field(die, m, name)
  local count = #m.axes
  local field = {
    name = name, type = random_type(die), halo = random_halo(die, m), at = random_at(die, count),
    order = die.chance(1, 4) and die.permutation(count) or nil,
  }
  random_components(die, m, field)
  if language.padding and die.chance(1, 4) then
    field.padding = {}
    for a = 1, count do field.padding[a] = die.range(0, 3) end
  end
  return field
end

-- Some fields that follow each other become the components of a vector: plain, and of one type.
local function random_vector(die, m)
  local count = die.range(1, math.min(#m.axes, #m.fields))
  if m.grid then count = math.min(#m.axes, #m.fields) end
  local first = die.range(1, #m.fields - count + 1)
  local type = m.fields[first].type
  local vector = { name = "wind", fields = {} }
  if m.grid then vector.kind = die.pick { "vector", "pseudovector", "unsigned" } end
  if not types[type].negates and vector.kind ~= "unsigned" then type = model.plain_type end
  for i = 1, count do
    local field = m.fields[first + i - 1]
    field.components, field.place, field.directions = nil, nil, nil
    field.type, field.vector, field.normal = type, 1, i
    vector.fields[i] = first + i - 1
  end
  m.vectors[1] = vector
end

-- Where the components of a vector lie: at centers, on all faces, each across its own axis or along it, or anywhere.
local placements = {
  function() return "center" end,
  function() return "both" end,
  function(own) return own and "both" or "center" end,
  function(own) return own and "center" or "both" end,
  function(own) return own and "low" or "center" end,
  function(_, die) return die.pick { "center", "low", "high", "both" } end,
}

-- Draws where fields lie until the grid can have them; they lie at the centers if no draw is right.
local function place(die, m, fields)
  for try = 1, 12 do
    local placement, rest, fine = placements[#fields > 1 and die.range(1, 6) or 6], die.pick { "center", "both" }, true
    for _, field in ipairs(fields) do
      field.at = try < 12 and {} or nil
      for a in ipairs(field.at and m.axes or {}) do
        field.at[a] = a > #fields and #fields > 1 and rest or placement(field.normal == a, die)
      end
    end
    for _, field in ipairs(fields) do fine = fine and connected.can_have(m, field) end
    if fine then return true end
  end
  return false
end

local function fields_of(m, vector)
  local fields = {}
  for i, number in ipairs(vector.fields) do fields[i] = m.fields[number] end
  return fields
end

-- A vector that the grid can have, or none; then the other fields.
local function random_places(die, m)
  local vector = m.vectors[1]
  if vector and not place(die, m, fields_of(m, vector)) then
    m.vectors = {}
    for _, field in ipairs(m.fields) do field.vector, field.normal = nil, nil end
  end
  for _, field in ipairs(m.fields) do
    if not field.vector then place(die, m, { field }) end
  end
end

-- ---- exchanges ------------------------------------------------------------------------------------------------------

local known_directions = {}

-- All directions but (0, …, 0), by rising first, second, … entry.  Not to be changed.
function model.directions(count)
  local list = known_directions[count] or {}
  if #list > 0 then return list end
  known_directions[count] = list
  for number = 0, 3 ^ count - 1 do
    local direction, rest, any = {}, number, false
    for a = count, 1, -1 do
      direction[a] = rest % 3 // 1 - 1
      direction[a] = math.tointeger(direction[a])
      rest, any = rest // 3, any or direction[a] ~= 0
    end
    if any then list[#list + 1] = direction end
  end
  return list
end

local function same(x, y)
  for a, side in ipairs(x) do
    if side ~= y[a] then return false end
  end
  return true
end

local function in_stencil(exchange, direction)
  if exchange.stencil == "box" then return true end
  if exchange.stencil ~= "star" then
    for _, listed in ipairs(exchange.stencil) do
      if same(listed, direction) then return true end
    end
    return false
  end
  local axes = 0
  for _, side in ipairs(direction) do axes = axes + math.abs(side) end
  return axes == 1
end

-- Layers of a field that an exchange fills.
function model.width(m, exchange, number)
  local field = m.fields[number]
  return exchange.widths and exchange.widths[field.name] or exchange.width or field.halo
end

local function reaches(width, direction)
  for a, side in ipairs(direction) do
    if side < 0 and width.lo[a] == 0 or side > 0 and width.hi[a] == 0 then return false end
  end
  return true
end

-- Whether anything of a field moves in a direction, the ghost box's.
local function moves(field, direction)
  if not field.directions then return true end
  for _, e in ipairs(field.directions) do
    local all = true
    for a, side in ipairs(direction) do all = all and (side == 0 or e[a] == -side) end
    if all then return true end
  end
  return false
end

local function open(m, direction)
  if m.grid then return true end
  for a, side in ipairs(direction) do
    if side ~= 0 and not m.axes[a].periodic and not m.axes[a].decomposed then return false end
  end
  return true
end

-- Whether an exchange claims the ghost points of a field in a direction.
function model.claims(m, exchange, number, direction)
  return in_stencil(exchange, direction) and reaches(model.width(m, exchange, number), direction)
    and moves(m.fields[number], direction)
end

-- Whether an exchange can fill some ghost point of a field, or share a point; halogen refuses it where not.
function model.feeds(m, exchange, number)
  if exchange.agree then return connected.can_share(m, m.fields[number]) end
  for _, direction in ipairs(model.directions(#m.axes)) do
    if open(m, direction) and model.claims(m, exchange, number, direction) then return true end
  end
  return false
end

-- Whether every direction of a list is one that some field has layers in.
local function list_is_reached(m, exchange)
  for _, direction in ipairs(type(exchange.stencil) == "table" and exchange.stencil or {}) do
    local any = exchange.agree ~= nil
    for _, number in ipairs(exchange.fields) do
      any = any or model.claims(m, exchange, number, direction)
    end
    if not any then return false end
  end
  return true
end

local function whole_vectors(m, exchange)
  local carried = {}
  for _, number in ipairs(exchange.fields) do carried[number] = true end
  for _, vector in ipairs(m.vectors) do
    local some, all = false, true
    for _, number in ipairs(vector.fields) do
      some, all = some or carried[number], all and carried[number]
    end
    if some and not all then return false end
  end
  return true
end

local function width_fits(m, exchange, number)
  for a = 1, #m.axes do
    for _, side in ipairs { "lo", "hi" } do
      if model.width(m, exchange, number)[side][a] > m.fields[number].halo[side][a] then return false end
    end
  end
  return true
end

local has_mean = { VALUE_FLOAT = true, VALUE_DOUBLE = true, VALUE_LONG_DOUBLE = true, VALUE_COMPLEX64 = true,
  VALUE_COMPLEX128 = true }

local function can_add(exchange, field)
  local type = types[field.type]
  if exchange.agree == "mean" and not has_mean[type.kind] then return false end
  return not (exchange.add or exchange.agree == "sum") or type.adds and (type.kind ~= "VALUE_HALF" or language.half_adds)
end

local function can_fill(exchange, field)
  for _, sides in ipairs(exchange.fills or {}) do
    for _, side in ipairs { "lo", "hi" } do
      local fill = sides[side]
      if fill == "antimirror" and not types[field.type].negates then return false end
      if (fill == "mirror" or fill == "antimirror") and field.directions then return false end
    end
  end
  return true
end

-- Whether some field has layers beyond a wall.
local function reaches_wall(m, exchange, a, side)
  for _, number in ipairs(exchange.fields) do
    if model.width(m, exchange, number)[side][a] > 0 then return true end
  end
  return false
end

-- What would be filled beyond walls where no field has layers is left out: halogen refuses it where a spec names the wall.
local function drop_idle_fills(m, exchange)
  for a, sides in ipairs(exchange.fills or {}) do
    for _, side in ipairs { "lo", "hi" } do
      if not reaches_wall(m, exchange, a, side) then sides[side] = "none" end
    end
  end
end

-- On folds not with a list of directions; tests of walls of tiles are ../emit/specs/harbor.lua.
local function has_walls_to_fill(m, exchange)
  return not m.grid or m.grid.kind == "fold" and type(exchange.stencil) ~= "table"
end

-- Whether halogen takes the exchange.
function model.exchange_is_sound(m, exchange)
  if #exchange.fields == 0 or exchange.fills and not has_walls_to_fill(m, exchange) then return false end
  for a, sides in ipairs(exchange.fills or {}) do
    for _, side in ipairs { "lo", "hi" } do
      if sides[side] ~= "none" and not reaches_wall(m, exchange, a, side) then return false end
    end
  end
  for _, number in ipairs(exchange.fields) do
    local field = m.fields[number]
    if not width_fits(m, exchange, number) or not model.feeds(m, exchange, number) or not can_add(exchange, field)
      or not can_fill(exchange, field) then
      return false
    end
  end
  local other = exchange.transpose and m.exchanges[exchange.transpose]
  if exchange.transpose and not other then return false end
  return list_is_reached(m, exchange) and whole_vectors(m, exchange)
end

local function random_stencil(die, count)
  local kind = die.range(1, 6)
  if kind <= 3 then return "box" end
  if kind <= 4 or not language.lists then return "star" end
  local list, all = {}, model.directions(count)
  for _, d in ipairs(die.permutation(#all)) do
    if #list == 0 or die.chance(1, 3) then list[#list + 1] = all[d] end
  end
  return list
end

local fill_names = { "none", "zero", "copy", "mirror", "mirror", "antimirror", "hook" }

local function random_fills(die, m)
  local fills, any = {}, false
  for a, axis in ipairs(m.axes) do
    fills[a] = { lo = "none", hi = "none" }
    if not axis.periodic then
      fills[a].lo = die.pick(fill_names)
      fills[a].hi = die.chance(1, 2) and fills[a].lo or die.pick(fill_names)
      any = true
    end
    if m.grid and m.grid.across == a then fills[a][m.grid.side] = "none" end
  end
  return any and fills or nil
end

-- Adds a field and, if it is a component, the others of its vector.
local function add_field(m, exchange, number)
  local vector = m.fields[number].vector
  for _, n in ipairs(vector and m.vectors[vector].fields or { number }) do
    local listed = false
    for _, old in ipairs(exchange.fields) do listed = listed or old == n end
    if not listed then table.insert(exchange.fields, n) end
  end
end

-- An exchange of points that several blocks own.
local function random_agreement(die, m, name)
  local exchange = { name = name, fields = {}, stencil = "box", agree = die.pick { "greater", "owner", "mean", "sum" } }
  exchange.add = (exchange.agree == "greater" or exchange.agree == "owner") and die.chance(1, 3) or nil
  for _, number in ipairs(die.permutation(#m.fields)) do
    local field = m.fields[number]
    if connected.can_share(m, field) and can_add(exchange, field) and (#exchange.fields == 0 or die.chance(2, 3)) then
      add_field(m, exchange, number)
    end
  end
  return exchange
end

local function random_exchange(die, m, name)
  if m.number > last_cartesian and die.chance(1, 3) then return random_agreement(die, m, name) end
  local exchange = { name = name, fields = {}, stencil = random_stencil(die, #m.axes) }
  exchange.add = language.add and die.chance(1, 3) or nil
  exchange.fills = language.fills and not exchange.add and has_walls_to_fill(m, exchange) and die.chance(1, 2)
    and random_fills(die, m) or nil
  for _, number in ipairs(die.permutation(#m.fields)) do
    if #exchange.fields == 0 or die.chance(1, 2) then add_field(m, exchange, number) end
  end
  if die.chance(1, 3) then
    exchange.width = each_side(#m.axes, function(a, side)
      local most = 64
      for _, number in ipairs(exchange.fields) do most = math.min(most, m.fields[number].halo[side][a]) end
      return die.chance(2, 3) and most or die.range(0, most)
    end)
  end
  drop_idle_fills(m, exchange)
  return exchange
end

-- The copy whose transpose an adding exchange is, or the other way round.
local function transpose_of(exchange, number, name)
  return { name = name, fields = exchange.fields, width = exchange.width, widths = exchange.widths, stencil = exchange.stencil,
    agree = exchange.agree, add = not exchange.add or nil, transpose = number }
end

local function random_exchanges(die, m)
  local names, count = die.permutation(#exchange_names), die.range(1, 3)
  for try = 1, 40 do
    if #m.exchanges == count then return end
    local name = exchange_names[names[#m.exchanges + 1]]
    local exchange = random_exchange(die, m, name)
    if model.exchange_is_sound(m, exchange) then
      table.insert(m.exchanges, exchange)
      if exchange.add and #m.exchanges < count then
        table.insert(m.exchanges, transpose_of(exchange, #m.exchanges, exchange_names[names[#m.exchanges + 1]]))
      end
    end
  end
end

-- Whether the fields of an exchange have minima and maxima: not where vectors change their signs.
local function has_extremes(m, exchange)
  for _, number in ipairs(exchange.fields) do
    local field = m.fields[number]
    if not types[field.type].orders or m.grid and field.vector then return false end
  end
  return true
end

-- What exchanges that add may do otherwise: it is no transpose any more.  By a die of its own, so that all else of a number
-- stays what it was.
local function vary_sums(m)
  local die = dice.new(m.seed, -m.number)
  for x, exchange in ipairs(m.exchanges) do
    if exchange.add and die.chance(2, 3) then
      local extreme = die.pick { "min", "max", false }
      exchange.keeps, exchange.extreme = true, extreme and has_extremes(m, exchange) and extreme or nil
      for _, other in ipairs(m.exchanges) do
        if other.transpose == x then other.transpose = nil end
      end
    end
  end
end

-- Some fields of some exchanges get a width of their own.  By a die of its own, as above.
local function vary_widths(m)
  local die = dice.new(m.seed, -1000000 - m.number)
  for x, exchange in ipairs(m.exchanges) do
    local widths = {}
    for _, number in ipairs(exchange.agree and {} or exchange.fields) do
      local field = m.fields[number]
      if die.chance(1, 2) then
        widths[field.name] = each_side(#m.axes, function(a, side)
          local most = field.halo[side][a]
          return die.chance(2, 3) and most or die.range(0, most)
        end)
      end
    end
    local kept, sound = {}, true
    for n, other in ipairs(m.exchanges) do
      if n == x or other.transpose == x or exchange.transpose == n then kept[n], other.widths = other.widths or false, widths end
    end
    for n in pairs(kept) do sound = sound and model.exchange_is_sound(m, m.exchanges[n]) end
    if not sound or not next(widths) then
      for n, old in pairs(kept) do m.exchanges[n].widths = old or nil end
    end
  end
end

-- Whether an exchange fills nothing of a field but faces that a block lies beyond: then its halo may lie behind its owned points.
local function fills_planes(m, exchange, number)
  for _, direction in ipairs(exchange.agree and {} or model.directions(#m.axes)) do
    local across = 0
    for _, side in ipairs(direction) do across = across + math.abs(side) end
    if across > 1 and model.claims(m, exchange, number, direction) then return false end
  end
  local width = model.width(m, exchange, number)
  for a, sides in ipairs(exchange.fills or {}) do
    for _, side in ipairs { "lo", "hi" } do
      if sides[side] ~= "none" and width[side][a] > 0 then return false end
    end
  end
  return true
end

-- The halos of two fields in three that can have them there lie behind the owned points.  By no die, as above.
local function lay_behind(m)
  for number, field in ipairs(m.fields) do
    local can = not m.grid and not language.device and (field.place or 0) == 0
    for _, exchange in ipairs(m.exchanges) do
      for _, other in ipairs(exchange.fields) do can = can and (other ~= number or fills_planes(m, exchange, number)) end
    end
    field.behind = can and (m.seed + m.number + number) % 3 > 0 or nil
  end
end

-- Formats that some types can travel in; those behind them hold small numbers, too.
local wires = {
  double = { "bfloat16", "float", "half" }, complex128 = { "bfloat16", "float", "half" }, float = { "bfloat16", "half" },
  complex64 = { "bfloat16", "half" }, short = { "int8" }, ["unsigned short"] = { "int8" }, int16_t = { "int8" },
  int = { "int8", "int16" }, ["unsigned int"] = { "int8", "int16" }, int32_t = { "int8", "int16" }, uint32_t = { "int8", "int16" },
  long = { "int8", "int16", "int32" }, uint64_t = { "int8", "int16", "int32" }, size_t = { "int8", "int32" },
}

-- Half of the fields that can travel in a shorter format do so, in all exchanges that copy halos, since these may be under way
-- at once.  Not where owned points are rewritten by a fold, which other exchanges may make agree at once.  By a die of its own.
local function draw_wires(m)
  local die = dice.new(m.seed, -2000000 - m.number)
  for number, field in ipairs(m.fields) do
    local formats, small = wires[types[field.type].spec], false
    local shared = false
    for _, exchange in ipairs(m.exchanges) do
      for _, other in ipairs(exchange.fields) do
        small = small or other == number and (exchange.transpose or exchange.add)
        shared = shared or other == number and exchange.agree and m.grid
      end
    end
    local drawn = die.chance(1, 2) and formats and die.range(small and 2 or 1, math.max(2, #formats))
    field.wire = drawn and not shared and formats[drawn] or nil
  end
  for _, vector in ipairs(m.vectors) do
    local first = m.fields[vector.fields[1]]
    local wire = first.wire
    for _, number in ipairs(vector.fields) do
      if m.fields[number].type ~= first.type then wire = nil end
    end
    for _, number in ipairs(vector.fields) do m.fields[number].wire = wire end
  end
  for _, exchange in ipairs(m.exchanges) do
    exchange.rounds = exchange.add and not exchange.extreme and die.chance(1, 2) or nil
  end
end

-- How a field travels in an exchange; nil: as it is.
function model.wire_of(m, exchange, number)
  local wire = not exchange.agree and m.fields[number].wire
  local added = exchange.rounds and wire and not wire:find("^int")
  return (not exchange.add or added) and wire or nil
end

-- ---- the whole ------------------------------------------------------------------------------------------------------

-- The model of a number under a seed.
function model.random(seed, number)
  local die = dice.new(seed, number)
  while true do
    local m = { name = "r" .. number, seed = seed, number = number, fields = {}, vectors = {}, exchanges = {} }
    if number > last_cartesian and die.chance(6, 7) then random_connected(die, m) else m.axes = random_axes(die) end
    m.order = random_order(die, #m.axes)
    m.first_fastest = (seed + number) % 3 == 0 -- not by a die: older specs stay what they are
    local names = die.permutation(#field_names)
    for f = 1, die.range(1, m.grid and 4 or 6) do m.fields[f] = random_field(die, m, field_names[names[f]]) end
    if language.vectors and die.chance(1, 2) then random_vector(die, m) end
    if m.grid then random_places(die, m) end
    random_exchanges(die, m)
    if #m.exchanges > 0 then
      vary_sums(m)
      vary_widths(m)
      lay_behind(m)
      draw_wires(m)
      return m
    end
  end
end

return model
