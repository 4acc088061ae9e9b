-- Which device kernels a plan needs for numbers that travel shorter than they are: into messages, out of them, and from array to
-- array as if by one; and sums of such numbers.  A kind is shared by all fields of a type and format; cuda.lua has the others.

local initializers = require "emit.initializers"
local ordered = require "base.ordered"
local wires = require "model.wires"

local cuda_wires = {}

-- Expressions of C for numbers as they lie in memory and as they travel: how one becomes the other, and the opposite of what
-- travels.
local function conversions(name, wire)
  local format = wires.formats[wire]
  if format.whole then
    return {
      narrow = function(value) return ("%s_of_%s(%s)"):format(wire, name, value) end,
      widen = function(value) return ("(hx_%s)%s"):format(name, value) end,
      opposite = function(value) return ("(hx_signed_%d)(0U - (uint32_t)%s)"):format(format.size, value) end,
    }
  end
  return {
    narrow = function(value) return ("hx_%s_of_%s(%s)"):format(wire, name, value) end,
    widen = function(value) return ("hx_%s_of_%s(%s)"):format(name, wire, value) end,
    opposite = function(value)
      return format.size == 4 and ("%s ^ 0x80000000U"):format(value) or ("(hx_word_2)(%s ^ 0x8000U)"):format(value)
    end,
  }
end

-- Notes what an item needs whose numbers travel shorter than they are, in needs.wired by type and format, and in needs.wires by
-- field and format.  number: as in cuda.lua, without a sign where the type has none; opposite: may it turn into its opposite?
function cuda_wires.note(needs, item, number, returns, opposite)
  local field, format = item.field, wires.formats[item.wire]
  local name = number.name .. "_as_" .. item.wire
  local entry = needs.wired[name] or {
    name = name, number = number, unsigned = wires.numbers(field).unsigned, format = item.wire, whole = format.whole, most = format.most,
    in_memory = (format.whole and "hx_" .. number.name) or "hx_word_" .. number.bytes,
    in_message = (format.whole and "hx_signed_" or "hx_word_") .. format.size,
    convert = conversions(number.name, item.wire), copies = false, adds = false, opposite = false,
  }
  entry.copies, entry.adds = entry.copies or not returns, entry.adds or returns
  entry.opposite = entry.opposite or opposite and not returns
  needs.wired[name] = entry
  needs.wires[field.index] = needs.wires[field.index] or {}
  needs.wires[field.index][item.wire] = entry
end

-- What the template needs of it: wired = the entries, checked = are there any that may not fit; added, rounded = are there any that are
-- added, or real ones.
function cuda_wires.list(needs, view)
  view.wired, view.checked, view.added, view.rounded = {}, false, {}, false
  for _, name in ipairs((ordered.keys(needs.wired))) do
    local entry = needs.wired[name]
    view.wired[#view.wired + 1] = entry
    view.checked, view.rounded = view.checked or entry.whole or false, view.rounded or not entry.whole
    if entry.adds then view.added[#view.added + 1] = entry end
  end
end

-- Adds their kinds by a function of a shape, a name, bytes, and whether a number may not fit.
function cuda_wires.add_kinds(wired, add)
  for _, entry in ipairs(wired) do
    for _, how in ipairs { "narrow", entry.copies and "widen", entry.copies and "round", entry.adds and "sum" } do
      if how then add(how:upper(), how .. "_" .. entry.name, entry.number.bytes, entry.whole) end
    end
  end
end

-- Lines of the table that says which kinds move the numbers of a field; number: of kinds, by name.
function cuda_wires.table_of(model, needs, number)
  local views, width = {}, 0
  for f, field in ipairs(model.fields) do
    for _, wire in ipairs(needs.wires[f] and wires.names or {}) do
      local entry, format = needs.wires[f][wire], wires.formats[wire]
      local function kind(how) return number[how .. "_" .. entry.name] or -1 end
      local numbers = entry and { field.index - 1, format.number, format.size, kind "narrow", kind "widen", kind "round", kind "sum" }
      if numbers then
        views[#views + 1] = { name = ("%s, as %s"):format(field.name, wire), numbers = numbers, text = initializers.braces(numbers) .. "," }
        width = math.max(width, #views[#views].text)
      end
    end
  end
  for _, view in ipairs(views) do view.text = view.text .. (" "):rep(width - #view.text) end
  return views
end

return cuda_wires
