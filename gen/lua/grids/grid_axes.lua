-- What the tables of all grids say alike: axes, their order in memory, which of them may be cut into blocks, how blocks are
-- numbered, fixed cells.  Each grid has those of these keys that it names.

local ordered = require "base.ordered"
local read = require "language.read"
local report = require "base.report"

local grid_axes = {}

local keys = {
  axes = { key = "axes", type = "axes", must = true, least = 1, most = 4, text = "LIMITS names: `\"xyz\"`, or `{ \"lon\", \"lat\", \"lev\" }`" },
  fastest = { key = "fastest", type = "axis", otherwise = "the first",
    text = "the axis along which neighbors are neighbors in memory: the first of `axes` or the last; the other axes follow in "
      .. "their order, or in the reverse of it" },
  order = { key = "order", type = "axes", text = "instead of `fastest`: all axes, the fastest first, as in `\"yxz\"`" },
  periodic = { key = "periodic", type = "axes", otherwise = "none",
    text = "axes that close on themselves; the others end at walls" },
  decomposed = { key = "decomposed", type = "axes", otherwise = "all",
    text = "axes that may be cut into blocks; each block has the others whole" },
  blocks = { key = "blocks", type = "word", default = "last-fastest", called = "numbering of blocks",
    below = true, text = "along which axis the numbers of blocks rise first",
    words = { { "last-fastest", "the last" }, { "first-fastest", "the first" } } },
  -- At most HX_MAX_CELLS of libhx.
  cells = { key = "cells", type = "counts", otherwise = "any number, given at run time", least = 1, most = 1000000000,
    text = "fixed numbers of cells, `{ z = 79 }`, LIMITS" },
}

-- The keys of a grid: for names those above, and keys of its own.
function grid_axes.keys(list)
  local out = {}
  for i, entry in ipairs(list) do out[i] = type(entry) == "string" and keys[entry] or entry end
  return out
end

-- One valid C identifier that leaves room for prefixes.
local function valid_axis(name)
  return name:find("^%a[%w_]*$") and #name <= 15 and not name:find("__", 1, true) and not name:find("_$")
end

local function axes_of(node)
  if node.entries.axes == nil then
    read.missing(node, "axes", "the grid has no axes", "write " .. node.verb.example)
    return nil
  end
  local axes = read.axis_names(node, "axes")
  if not axes then return nil end
  if #axes < keys.axes.least or #axes > keys.axes.most then
    report.error("HG1304", read.value(node, "axes"), ("the grid has %d axes"):format(#axes),
      ("name 1 to %d; what else a point has goes into components of fields"):format(keys.axes.most))
    return nil
  end
  local fine, seen = true, {}
  for i, name in ipairs(axes) do
    local where = type(node.entries.axes) == "table" and read.value(node, "axes", i) or read.value(node, "axes")
    if not valid_axis(name) then
      report.error("HG1305", where, ("%s cannot be the name of an axis"):format(report.quote(name)),
        "write at most 15 letters a to z or A to Z, digits and single underscores between them, a letter first"
        .. (name:find("[\x80-\xff]") and ': { "alpha", "beta" }' or ""))
      fine = false
    elseif seen[name:lower()] then
      local letters = type(node.entries.axes) == "string"
      report.error("HG1302", where, ("axes %d and %d are both called %s"):format(seen[name:lower()], i, report.quote(name)),
        letters and ("each letter is an axis; if this is one name, write axes = { %s }"):format(report.quote(node.entries.axes))
        or "give them different names; upper and lower case count as the same")
      fine = false
    end
    seen[name:lower()] = i
  end
  return fine and axes or nil
end

local function forwards(axes)
  local order = {}
  for a = 1, #axes do order[a] = a end
  return order
end

local function backwards(axes)
  local order = {}
  for a = 1, #axes do order[a] = #axes + 1 - a end
  return order
end

-- Memory order from `fastest` or `order`.
local function order_of(node, axes)
  local fastest = node.entries.fastest
  if fastest == nil then return read.order(node, axes, forwards(axes)) end
  if node.entries.order ~= nil then
    report.error("HG1306", read.key(node, "order"), "order and fastest say the same thing twice", "keep one of them", {
      { where = read.key(node, "fastest"), message = "fastest is here" },
    })
    return nil
  end
  if not read.typed(node, "fastest", ("write fastest = %s"):format(report.quote(axes[1]))) then return nil end
  local axis = read.axis_number(axes, fastest)
  if axis == 1 then return forwards(axes) end
  if axis == #axes then return backwards(axes) end
  if not axis then return read.unknown_axis(read.value(node, "fastest"), fastest, axes) end
  report.error("HG1307", read.value(node, "fastest"), ("fastest = %s leaves the order of the other axes open"):format(
    report.quote(fastest)), ("fastest is the first or the last axis; else write order = %s"):format(
    #table.concat(axes) == #axes and report.quote(fastest .. table.concat(axes, "", 1, axis - 1)
      .. table.concat(axes, "", axis + 1)) or "{ … } with all axes, fastest first"))
end

-- For each axis whether it is among the numbers.
function grid_axes.mask(axes, numbers)
  local out = {}
  for a = 1, #axes do out[a] = false end
  for _, a in ipairs(numbers or {}) do out[a] = true end
  return out
end

local function cells_of(node, axes)
  local cells, value = grid_axes.mask(axes), node.entries.cells
  if value == nil or not read.typed(node, "cells", ("write cells = { %s = 64 }"):format(axes[1])) then return cells end
  for _, name in ipairs((ordered.keys(value))) do
    local axis = read.axis_number(axes, name)
    local count = axis and read.integer(node, { "cells", name }, value[name])
    if not axis then
      read.unknown_axis(read.key(node, "cells", name), tostring(name), axes)
    elseif count and (count < keys.cells.least or count > keys.cells.most) then
      report.error("HG1308", read.value(node, "cells", name), ("axis %s has %d cells"):format(name, count),
        ("write 1 to %d, or leave it out, and give any number at run time"):format(keys.cells.most))
    elseif count then
      cells[axis] = count
    end
  end
  return cells
end

-- Are blocks numbered with the first axis fastest?  nil where they are not, so that what is the default is not in the hash.
local function first_fastest(node)
  return node.verb.at.blocks ~= nil and read.choice(node, "blocks") == "first-fastest" or nil
end

-- The grid of a node as far as these keys go, with no periodic axis; nil if not even its axes are known.  decomposed: numbers
-- of axes that are cut where the table does not say; nil: all.
function grid_axes.read(node, decomposed)
  local axes = axes_of(node)
  if not axes then return nil end
  return {
    axes = axes,
    periodic = grid_axes.mask(axes),
    decomposed = grid_axes.mask(axes, read.axes(node, "decomposed", axes, decomposed or forwards(axes))),
    first_fastest = first_fastest(node),
    cells = cells_of(node, axes),
    order = order_of(node, axes) or forwards(axes),
  }
end

return grid_axes
