-- Which device kernels a plan needs on a grid that is a list of points; see cuda.lua for the others.
--
-- What a word is, 1 to 16 bytes, decides about a kernel, and nothing else: of points and levels tables tell.

local cuda = require "emit.cuda"
local cuda_wires = require "emit.cuda_wires"
local initializers = require "emit.initializers"
local memory = require "model.memory"
local operations = require "model.operations"
local ordered = require "base.ordered"

local cuda_listed = {}

-- Keys of a table that has them as true, ascending.
local function sorted(set)
  return (ordered.keys(set))
end

-- Bytes that lie together in each point of a field, or nil where a program says how many.
local function row_of(field)
  if field.order[1] == 1 then return cuda.bytes_of_point(field) end
  local row = cuda.fixed_row(field)
  return row and row * cuda.bytes_of_point(field)
end

-- The words that points of a field can be moved by: elements for arrays that begin anywhere, and the widest that fit.
local function words_of(field)
  local row = row_of(field)
  return { field.ctype.alignment, row and cuda.widest_word(row) or cuda.WIDEST }
end

-- { words =, sums = } as sets, numbers by name; copies, zeroes: does any exchange that copies, or zeroes, carry a field there?
local function needs_of(plan)
  local needs = { words = {}, sums = {}, wired = {}, wires = {}, copies = false, zeroes = false, levels = false }
  for _, planned in ipairs(plan.exchanges) do
    for _, item in ipairs(planned.items) do
      local field, returns = item.field, operations.returns(planned.exchange)
      if memory.on_device(field) then
        for _, word in ipairs(words_of(field)) do needs.words[word] = true end
        if item.wire then
          cuda.note_wired(plan, needs, item, returns)
        elseif returns then
          cuda.note_sum(needs.sums, planned.exchange.operation, field.ctype)
        end
        needs.copies, needs.zeroes = needs.copies or not returns, needs.zeroes or returns and not planned.exchange.keeps
        needs.levels = needs.levels or (#field.order > 1 and field.order[1] == 1)
      end
    end
  end
  if #sorted(needs.words) == 0 then needs.words[1] = true end -- all such fields are in no exchange
  return needs
end

local function field_views(model, number)
  local views, width = {}, 0
  for f, field in ipairs(model.fields) do
    local numbers = { cuda.bytes_of_number(field), -1, -1, cuda.kind_of_sum(number, "add", field), -1, -1,
      cuda.kind_of_sum(number, "min", field), cuda.kind_of_sum(number, "max", field) }
    views[f] = { name = field.name, numbers = numbers, text = initializers.braces(numbers) .. "," }
    width = math.max(width, #views[f].text)
  end
  for _, view in ipairs(views) do view.text = view.text .. (" "):rep(width - #view.text) end
  return views
end

-- The view of the template listed.cu.
function cuda_listed.view(plan)
  local needs = needs_of(plan)
  local view = {
    words = sorted(needs.words), sums = {}, copies = needs.copies, zeroes = needs.zeroes, levels = needs.levels,
    kernels = {}, has = {}, kinds = {},
  }
  local number = {}
  local function add_kind(shape, name, word)
    view.kinds[#view.kinds + 1] = { shape = shape, word = word }
    number[name] = #view.kinds - 1
  end
  for _, word in ipairs(view.words) do add_kind("HX_CUDA_LISTED", "words_" .. word, word) end
  for _, name in ipairs(sorted(needs.sums)) do
    local sum = needs.sums[name]
    view.sums[#view.sums + 1] = sum
    add_kind("HX_CUDA_SUM", name, sum.bytes)
  end
  cuda_wires.list(needs, view)
  cuda_wires.add_kinds(view.wired, function(shape, name, bytes) add_kind("HX_CUDA_" .. shape, name, bytes) end)
  local function add_kernel(what, cases)
    view.kernels[#view.kernels + 1] = { name = what .. "_listed", cases = cases }
    view.has[what] = true
  end
  -- A kernel for all words, since points may be moved by words that another field has asked for; rounding: what it does with
  -- numbers that travel shorter than they are.
  local function add_moves(what, rounding)
    local cases = {}
    for i, word in ipairs(view.words) do cases[i] = { kind = number["words_" .. word], name = what .. "_" .. word } end
    for _, entry in ipairs(rounding and view.wired or {}) do
      local name = rounding .. "_" .. entry.name
      cases[#cases + 1] = number[name] and { kind = number[name], name = name }
    end
    add_kernel(what, cases)
  end
  add_moves("pack", "narrow")
  if needs.copies then
    add_moves("unpack", "widen")
    add_moves("copy", "round")
  end
  if needs.zeroes then add_moves("zero") end
  local sums = {}
  for i, sum in ipairs(view.sums) do sums[i] = { kind = number[sum.name], name = sum.name } end
  for _, entry in ipairs(view.added) do
    sums[#sums + 1] = { kind = number["sum_" .. entry.name], name = "sum_" .. entry.name }
  end
  if #sums > 0 then add_kernel("sum", sums) end
  view.fields, view.wires = field_views(plan.model, number), cuda_wires.table_of(plan.model, needs, number)
  return view
end

return cuda_listed
