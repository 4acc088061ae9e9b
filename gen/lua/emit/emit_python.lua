-- What the views of emit.lua have for Python alone: fields in words, parameters of exchanges.

local memory = require "model.memory"

local emit_python = {}

-- "halo along x, y, z: 2, 1:2, 0"
local function halo_of(field)
  local axes, layers = field.grid.axes, {}
  for a in ipairs(axes) do
    local lo, hi = field.halo.lo[a], field.halo.hi[a]
    layers[a] = lo == hi and tostring(lo) or ("%d:%d"):format(lo, hi)
  end
  return ("halo along %s: %s"):format(table.concat(axes, ", "), table.concat(layers, ", "))
end

-- What a docstring says of a field.
local function sentence(field)
  if field.grid.is_list then return "points of a list" end
  local parts = { halo_of(field) }
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

-- Text of the spec, such as that of a parameter, may have what ends or changes a docstring.
local function in_docstring(text)
  return (text:gsub("\\", "\\\\"):gsub('"""', '\\"\\"\\"'))
end

-- Longer ones are written with a parameter a line.
local longest = 120

-- The two ways to call a method of an exchange, for type checkers: with a set of arrays, or with the arrays themselves.
local function overloads(method, result, names)
  local function declared(parameters)
    local text = ("def %s(%s, *, stream: Any = None) -> %s: ..."):format(method, table.concat(parameters, ", "), result)
    if #text + 8 <= longest then return text end
    return ("def %s(\n    %s,\n    *,\n    stream: Any = None,\n) -> %s: ..."):format(method, table.concat(parameters, ",\n    "), result)
  end
  local apart = { "self" }
  for i, name in ipairs(names) do apart[i + 1] = name .. ": Any" end
  return {
    declared { "self", "arrays: Arrays", "/" },
    declared(apart),
    ("def %s(self, *arrays: Any, **named: Any) -> %s: ..."):format(method, result),
  }
end

-- Adds `python` to the view.
function emit_python.add(view, plan)
  local fields, with_components, calls, in_order = {}, {}, {}, {}
  for _, field in ipairs(plan.model.fields) do
    fields[field.name] = sentence(field)
    if field.components then with_components[#with_components + 1] = field.name end
  end
  for _, exchange in ipairs(plan.model.exchanges) do
    local names = {}
    for i, item in ipairs(exchange.items) do names[i] = item.field.name end
    in_order[exchange.name] = entries(names)
    calls[exchange.name] = { overloads("__call__", "halogen.Done", names), overloads("start", "halogen.Pending", names) }
  end
  view.python = {
    fields = fields,
    names = in_order,
    calls = calls,
    with_components = entries(with_components),
    in_docstring = in_docstring,
    -- Names of the steps of a cycle.
    steps = function(cycle)
      local names = {}
      for s, step in ipairs(cycle.steps) do names[s] = step.name end
      return entries(names)
    end,
    -- Names of the axes along which an exchange fills corners.
    fills = function(exchange)
      local names = {}
      for i, fill in ipairs(exchange.corners) do names[i] = fill.axis end
      return entries(names)
    end,
  }
end

return emit_python
