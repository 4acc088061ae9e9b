-- Which device kernels a plan needs.
--
-- Kernels move words: so many bytes, whatever they mean.  What rows they move is told by tables that the runtime makes, so a
-- kind is shared by everything of its shape, whatever field, axis, link or exchange it belongs to:
--   long    rows that lie in one piece, of any length
--   short   the same, of a literal number of words: halos across the fastest axis, and whole rows of fixed length
--   loose   any rows by any steps
--   turned  the same with a sign; only here, in tiles and in sums does it matter what words mean
--   tiles   numbers that are neighbors along one axis where they come from and along another where they go, where halos are
--           so wide that it pays to turn pieces of them in shared memory
--   sums    for exchanges that add
--   minima, maxima  for those that take them
--   means   of shared points
--   totals  their sums
-- and those of cuda_wires.lua, and zeros, for these and beyond walls: of loose rows only the end.

local cuda_wires = require "emit.cuda_wires"
local initializers = require "emit.initializers"
local boundary = require "plan.boundary"
local ctypes = require "model.ctypes"
local memory = require "model.memory"
local operations = require "model.operations"
local ordered = require "base.ordered"

local cuda = {}

-- How names of kernels begin that combine ghost points with what their owners hold, by operation.
cuda.SUMS = { add = "sum", min = "minimum", max = "maximum" }

local WIDEST, LONGEST_SHORT = 16, 256 -- bytes at once; bytes of a row whose length is a literal
local TILE_LEAST, WIDEST_IN_TILE = 8, 8 -- layers from which on what turns is turned in tiles; bytes of a number there

-- What is added, or has a sign of its own, in values of a type, { bytes =, type =, name =, negated = nil where nothing is,
-- added = }; nil for what is only copied.
local function number_of(ctype)
  local bytes = ctype.kind == "complex" and ctype.size // 2 or ctype.size
  if ctype.kind == "integer" then
    local word = "hx_word_" .. bytes
    return {
      bytes = bytes, type = word, name = "word_" .. bytes,
      negated = function(value) return ("(%s)(0u - %s)"):format(word, value) end,
      added = function(a, b) return ("(%s)(%s + %s)"):format(word, a, b) end,
    }
  elseif ctype.kind == "float" or ctype.kind == "complex" then
    return {
      bytes = bytes, type = "hx_real_" .. bytes, name = "real_" .. bytes,
      negated = function(value) return "-" .. value end,
      added = function(a, b) return ("%s + %s"):format(a, b) end,
    }
  elseif ctype.kind == "half" then
    return { bytes = bytes, type = "hx_word_2", name = "half", added = function(a, b) return ("hx_sum_of_halves(%s, %s)"):format(a, b) end }
  end
end

-- Values of a type as numbers of which one is the lesser: { bytes =, type =, name =, floats = whether there are NaNs and a zero
-- with a sign, half = whether they are bits }.  Whether char has a sign is for the compiler to say.
local function ordered_number_of(ctype)
  local bytes = ctype.size
  if ctype.kind == "half" then
    return { bytes = bytes, type = "hx_word_2", name = "half", half = true }
  elseif ctype.kind == "float" then
    return { bytes = bytes, type = "hx_real_" .. bytes, name = "real_" .. bytes, floats = true }
  elseif ctype.name == "char" then
    return { bytes = bytes, type = "char", name = "char" }
  end
  local unsigned = ctype.kind == "bool" or ctype.name:find("^u") or ctype.name == "size_t"
  local word = (unsigned and "word_" or "signed_") .. bytes
  return { bytes = bytes, type = "hx_" .. word, name = word }
end

-- The largest word of which so many bytes are a multiple.
local function widest_word(bytes)
  local word = 1
  while word < WIDEST and bytes % (2 * word) == 0 do word = 2 * word end
  return word
end

-- Points of a row along the fastest axis that every block has alike, or nil.
local function fixed_row(field)
  local grid, fastest = field.grid, field.order[1]
  if not grid.cells[fastest] or grid.decomposed[fastest] then return nil end
  return grid.cells[fastest] + (field.at[fastest] == "both" and 1 or 0)
end

-- Bytes of one point, as it lies in memory.
local function bytes_of_point(field)
  local together = field.components and field.components.after == 0
  return field.ctype.size * (together and field.components.count or 1)
end

-- Do some of a field's components that lie side by side travel without the others?
local function is_picked(field)
  return field.directions ~= nil and field.components.after == 0
end

local function changes_sign(links)
  for _, link in ipairs(links) do
    if link.sign ~= 1 then return true end
  end
  return false
end

-- Do values of an item become their opposites: across some link, beyond a wall, or in a corner?  Where shared points are is
-- found by crossing one side after the other, on the way as other components of the vector.
local function has_opposites(plan, planned, item)
  local field, _, _, opposite = item.field, boundary.needs(planned.boundary, item)
  opposite = opposite or not item.wire and changes_sign(plan.positions[plan.positions_of[field.index]].links)
  for _, component in ipairs(planned.shared and field.vector and field.vector.fields or {}) do
    opposite = opposite or changes_sign(plan.positions[plan.positions_of[component.index]].links)
  end
  for i, other in ipairs(planned.items) do
    for _, fill in ipairs(other == item and planned.corners or {}) do
      opposite = opposite or changes_sign(fill.links[i])
    end
  end
  return opposite
end

-- Points along the fastest axis that segments of an item may have, where that is known.
local function depths_of(planned, item)
  local fastest = item.field.order[1]
  local lo, hi = item.lo[fastest], item.hi[fastest]
  if planned.shared then lo, hi = item.field.at[fastest] == "both" and 1 or 0, 0 end
  return { lo, hi, fixed_row(item.field) or 0 }
end

-- Does any link turn the axis along which a field is dense in memory?
local function turns_rows(field, links)
  for _, link in ipairs(links) do
    for source, map in ipairs(link.map) do
      if map.axis ~= source and (map.axis == field.order[1] or source == field.order[1]) then return true end
    end
  end
  return false
end

-- Is what an item moves turned in tiles: numbers that lie by themselves, so many layers of them that it pays?
local function has_tiles(plan, item)
  local field, widest = item.field, 0
  for axis in ipairs(field.order) do widest = math.max(widest, item.lo[axis], item.hi[axis]) end
  local size = bytes_of_point(field)
  return widest >= TILE_LEAST and size <= WIDEST_IN_TILE and size == field.ctype.alignment
    and turns_rows(field, plan.positions[plan.positions_of[field.index]].links)
end

-- Keys of a table that has them as true, ascending.
local function sorted(set)
  return (ordered.keys(set))
end

-- Notes that rows of so many bytes, made of words of a field, are worth a kernel of their own: word by word for arrays that
-- begin anywhere, and by the widest words that fit.
local function note_short(shorts, word, bytes)
  if bytes == 0 or bytes > LONGEST_SHORT then return end
  for _, each in ipairs { word, widest_word(bytes) } do
    shorts[each] = shorts[each] or {}
    shorts[each][bytes // each] = true
  end
end

-- The same as of number_of for what is moved, but has no sign.
local function any_number(bytes)
  return { bytes = bytes, type = "hx_word_" .. bytes, name = "any_" .. bytes }
end

-- Bytes of a number of a field, by itself; 0 for what is only copied.
function cuda.bytes_of_number(field)
  local number = number_of(field.ctype) or ctypes.has_order(field.ctype) and ordered_number_of(field.ctype)
  return number and number.bytes or 0
end

-- The name of what combines values of a type by an operation, or nil.
local function name_of_sum(how, ctype)
  if not operations.suits(how, ctype) then return nil end
  return cuda.SUMS[how] .. "_" .. (how == "add" and number_of or ordered_number_of)(ctype).name
end

-- Its number among kinds; -1: no exchange needs it.
function cuda.kind_of_sum(kinds, how, field)
  return kinds[name_of_sum(how, field.ctype) or ""] or -1
end

-- Notes what an operation that sends ghost points back needs for values of a type, by its name: { how =, number = }.
function cuda.note_sum(sums, how, ctype)
  local number = (how == "add" and number_of or ordered_number_of)(ctype)
  local name = name_of_sum(how, ctype)
  sums[name] = { name = name, how = how, number = number, type = number.type, bytes = number.bytes,
    of_two = how == "min" and "The lesser" or "The greater" }
end

-- Notes what an item needs whose numbers travel shorter than they are.
function cuda.note_wired(plan, needs, item, returns)
  local field = item.field
  local number = (field.ctype.kind == "integer" and ordered_number_of or number_of)(field.ctype)
  cuda_wires.note(needs, item, number, returns, changes_sign(plan.positions[plan.positions_of[field.index]].links))
end

-- Notes what redistribution needs, which moves any box of any field: its words, and at a fold where its sign changes its
-- numbers.
local function note_redistribution(plan, needs)
  for f, field in ipairs(plan.model.fields) do
    if memory.on_device(field) then
      local number = number_of(field.ctype)
      needs.words[field.ctype.alignment] = true
      for _, rewrite in ipairs(number and plan.positions[plan.positions_of[f]].rewrites or {}) do
        if rewrite.link.sign ~= 1 then needs.turned[number.name] = number end
      end
    end
  end
end

-- What the items of all exchanges need: { words =, shorts =, zeros = } as sets, numbers by name, those of tiles
-- also by the index of a field, and by that whether it has tiles, and opposites.
local function needs_of(plan)
  local needs = { words = {}, shorts = {}, zeros = {}, turned = {}, tiles = {}, tile_of = {}, tiled = {}, opposite = {}, sums = {}, means = {}, totals = {}, wired = {}, wires = {} }
  for _, planned in ipairs(plan.exchanges) do
    for _, item in ipairs(planned.items) do
      local field = item.field
      local word, number = field.ctype.alignment, number_of(field.ctype)
      if memory.on_device(field) then
        needs.words[word] = true
        if item.wire then
          cuda.note_wired(plan, needs, item, operations.returns(planned.exchange))
        elseif not is_picked(field) then
          for _, points in ipairs(depths_of(planned, item)) do
            note_short(needs.shorts, word, points * bytes_of_point(field))
          end
        end
        local returns = operations.returns(planned.exchange)
        local opposites = not returns and number and has_opposites(plan, planned, item)
        if returns then
          needs.zeros[word] = needs.zeros[word] or not planned.exchange.keeps or nil
          if not item.wire then cuda.note_sum(needs.sums, planned.exchange.operation, field.ctype) end
        elseif opposites then
          needs.turned[number.name] = number
        end
        needs.tiled[field.index] = needs.tiled[field.index] or (not returns and not item.wire and has_tiles(plan, item))
        needs.opposite[field.index] = needs.opposite[field.index] or opposites
        if planned.shared == "mean" then needs.means[number.name] = number end
        if planned.shared == "sum" then needs.totals[number.name] = number end
        needs.zeros[word] = needs.zeros[word] or boundary.needs(planned.boundary, item) or nil
      end
    end
  end
  note_redistribution(plan, needs)
  -- A field has one kind of tile, for all exchanges: with a sign if any of them needs that.
  for _, field in ipairs(plan.model.fields) do
    if needs.tiled[field.index] then
      local tile = needs.opposite[field.index] and number_of(field.ctype) or any_number(bytes_of_point(field))
      needs.tile_of[field.index], needs.tiles[tile.name] = tile, tile
    end
  end
  return needs
end

-- Kinds in the order of their numbers, and the number of each by name.
local function list_kinds(view)
  local kinds, number, zeros = {}, {}, {}
  for _, word in ipairs(view.zeros) do zeros["loose_" .. word] = true end
  local function add(shape, name, word, count)
    kinds[#kinds + 1] = { shape = "HX_CUDA_" .. shape, name = name, word = word, count = count, zero = zeros[name] }
    number[name] = #kinds - 1
  end
  for _, word in ipairs(view.words) do add("LONG", "long_" .. word, word, 0) end
  for _, short in ipairs(view.shorts) do
    add("SHORT", ("short_%d_%d"):format(short.word, short.count), short.word, short.count)
  end
  for _, loose in ipairs(view.loose) do add(loose.negated and "TURNED" or "LOOSE", loose.name, loose.word, 0) end
  for _, tile in ipairs(view.tiles) do add("TILE", tile.name, tile.word, 0) end
  for _, sum in ipairs(view.sums) do add("SUM", sum.name, sum.bytes, 0) end
  for _, mean in ipairs(view.means) do add("MEAN", "mean_" .. mean.name, mean.bytes, 0) end
  for _, total in ipairs(view.totals) do add("TOTAL", "total_" .. total.name, total.bytes, 0) end
  cuda_wires.add_kinds(view.wired, function(shape, name, bytes, told)
    add(shape, name, bytes, 0)
    kinds[#kinds].told = told
  end)
  return kinds, number
end

local function field_views(plan, needs, number)
  local views, width = {}, 0
  for f, field in ipairs(plan.model.fields) do
    local value, tile = number_of(field.ctype), needs.tile_of[field.index]
    local function kind(shape, of) return of and number[shape .. "_" .. of.name] or -1 end
    local numbers = { cuda.bytes_of_number(field), kind("turned", value), kind("tile", tile),
      cuda.kind_of_sum(number, "add", field), kind("mean", value), kind("total", value),
      cuda.kind_of_sum(number, "min", field), cuda.kind_of_sum(number, "max", field) }
    views[f] = { name = field.name, numbers = numbers, text = initializers.braces(numbers) .. "," }
    width = math.max(width, #views[f].text)
  end
  for _, view in ipairs(views) do view.text = view.text .. (" "):rep(width - #view.text) end
  return views
end

-- The view of the template.
function cuda.view(plan)
  local needs = needs_of(plan)
  local view = { words = sorted(needs.words), zeros = sorted(needs.zeros), shorts = {}, loose = {}, tiles = {}, sums = {}, means = {},
    totals = {}, outer = #plan.model.grid.axes - 1 }
  needs.words[WIDEST] = true
  view.copied = sorted(needs.words)
  for _, word in ipairs(sorted(needs.shorts)) do
    for _, count in ipairs(sorted(needs.shorts[word])) do
      view.shorts[#view.shorts + 1] = { word = word, count = count }
    end
  end
  for _, word in ipairs(view.words) do
    view.loose[#view.loose + 1] = { name = "loose_" .. word, type = "hx_word_" .. word, word = word }
  end
  for _, name in ipairs(sorted(needs.turned)) do
    local number = needs.turned[name]
    view.loose[#view.loose + 1] = { name = "turned_" .. name, type = number.type, word = number.bytes, negated = number.negated }
  end
  for _, name in ipairs(sorted(needs.tiles)) do
    local tile = needs.tiles[name]
    view.tiles[#view.tiles + 1] = { name = "tile_" .. name, type = tile.type, word = tile.bytes, negated = tile.negated }
  end
  for _, name in ipairs(sorted(needs.sums)) do view.sums[#view.sums + 1] = needs.sums[name] end
  for _, name in ipairs(sorted(needs.means)) do view.means[#view.means + 1] = needs.means[name] end
  for _, name in ipairs(sorted(needs.totals)) do view.totals[#view.totals + 1] = needs.totals[name] end
  cuda_wires.list(needs, view)
  view.kernels = { "move_all" }
  local function add_kernel(name, needed)
    if needed then view.kernels[#view.kernels + 1] = name end
  end
  add_kernel("zero_all", #view.zeros > 0)
  add_kernel("sum_all", #view.sums + #view.added > 0)
  add_kernel("combine_all", #view.means + #view.totals > 0)
  local number
  view.kinds, number = list_kinds(view)
  view.fields, view.wires = field_views(plan, needs, number), cuda_wires.table_of(plan.model, needs, number)
  return view
end

-- For cuda_listed.lua.
cuda.WIDEST, cuda.widest_word, cuda.number_of = WIDEST, widest_word, number_of
cuda.fixed_row, cuda.bytes_of_point = fixed_row, bytes_of_point

return cuda
