-- What the template of the C++ header needs beside the view of the C header.

local geometry = require "grids.geometry"
local memory = require "model.memory"

local emit_cxx = {}

-- What the example of the header calls a view: the field's name, but where that is another one's there.
local function variable(field, axes)
  local taken = { f = true, c = true, halo = true, mine = true, list = true }
  for _, axis in ipairs(axes) do taken[axis.parameter] = true end
  return taken[field.name] and field.name .. "_view" or field.name
end

-- A field as hx::view takes it: its type, rank and the index of unit stride, and lists by axis, of components last.
local function field_view(field, axes, prefix)
  local enum = prefix .. "_" .. field.name:upper()
  local points, low, high, strides = {}, {}, {}, {}
  for a in ipairs(axes) do
    local extra = geometry.extra(field.at[a])
    points[a] = ("n[%d]"):format(a - 1) .. (extra > 0 and " + " .. extra or "")
    low[a], high[a] = memory.around(field, "lo", a), memory.around(field, "hi", a)
    strides[a] = ("stride[%d]"):format(a - 1)
  end
  local unit = field.order[1]
  if field.components then
    local apart = memory.apart(field)
    points[#points + 1], low[#low + 1], high[#high + 1] = field.components.count, 0, 0
    strides[#strides + 1] = apart and ("shape.apart[%s]"):format(enum) or 1
    if not apart then unit = field.components.count > 1 and #points or unit end
  end
  local layers, in_memory = {}, {}
  for a, axis in ipairs(field.order) do
    layers[a] = ("{%d, %d}"):format(field.halo.lo[a], field.halo.hi[a])
    in_memory[a] = axis - 1
  end
  if field.components then table.insert(in_memory, 1, #points - 1) end
  return {
    behind = field.behind,
    layers = table.concat(layers, ", "),
    memory = table.concat(in_memory, ", "),
    name = field.name,
    enum = enum,
    type = field.type,
    components = field.components ~= nil,
    view = ("%s, %d, %d"):format(field.type, #points, unit - 1),
    points = table.concat(points, ", "),
    low = table.concat(low, ", "),
    high = table.concat(high, ", "),
    strides = table.concat(strides, ", "),
    variable = variable(field, axes),
  }
end

-- Adds it as view.cxx: the fields whose arrays the host can reach.
function emit_cxx.add(view, plan)
  local fields = {}
  for _, field in ipairs(plan.model.fields) do
    if not memory.on_device(field) then fields[#fields + 1] = field_view(field, view.axes, view.prefix) end
  end
  view.cxx = { fields = fields }
end

return emit_cxx
