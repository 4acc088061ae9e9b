-- What the views of emit.lua have for Python alone: fields in words, parameters of exchanges.

local memory = require "model.memory"

local emit_python = {}

-- "2 layers along x, y; 1 below and 2 above along z"
local function layers_of(field)
  local axes, words = field.grid.axes, {}
  for a, axis in ipairs(axes) do
    local lo, hi = field.halo.lo[a], field.halo.hi[a]
    words[a] = lo == hi and ("%d along %s"):format(lo, axis) or ("%d below and %d above along %s"):format(lo, hi, axis)
  end
  return table.concat(words, ", ")
end

-- What a docstring says of a field.
local function sentence(field)
  if field.grid.is_list then return "points of a list" end
  local parts = { "layers of halo: " .. layers_of(field) }
  if field.components then parts[#parts + 1] = ("%d components"):format(field.components.count) end
  if memory.on_device(field) then parts[#parts + 1] = "in the memory of a device" end
  if field.behind then parts[#parts + 1] = "ghost points behind the owned ones" end
  return table.concat(parts, "; ")
end

-- What a tuple of names has in its brackets: '"u",' or '"u", "v"'.
local function entries(names)
  if #names == 0 then return "" end
  return '"' .. table.concat(names, '", "') .. '"' .. (#names == 1 and "," or "")
end

-- Adds `python` to the view.
function emit_python.add(view, plan)
  local fields, carried, with_components = {}, {}, {}
  for _, field in ipairs(plan.model.fields) do
    fields[field.name] = sentence(field)
    if field.components then with_components[#with_components + 1] = field.name end
  end
  for _, exchange in ipairs(plan.model.exchanges) do
    local parameters = {}
    for i, item in ipairs(exchange.items) do parameters[i] = item.field.name .. ": Any" end
    carried[exchange.name] = table.concat(parameters, ", ")
  end
  view.python = {
    fields = fields,
    parameters = function(exchange) return carried[exchange.name] end,
    with_components = entries(with_components),
    -- Names of the axes along which an exchange fills corners.
    fills = function(exchange)
      local names = {}
      for i, fill in ipairs(exchange.corners) do names[i] = fill.axis end
      return entries(names)
    end,
  }
end

return emit_python
