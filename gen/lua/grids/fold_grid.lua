-- The verb `fold`: one box of cells that closes on itself along one axis, and whose side across another is folded in the
-- middle and sewn up, as the north of a tripolar ocean.
--
-- The grid has, besides what all have,
--   title   what it is, in a few words
--   fold    { axis = 2, sign = 1, along = 1, across_at = "face", along_at = "center" }: the side across the axis, at its
--           high end for sign 1, is folded; the axis along it runs back.  Whether the two points that everything turns
--           about lie on faces of cells or in their centers: across, on the side itself or in the middle of the last
--           row; along, where the axis begins or in the middle of its first cell, and half of the ring further.
-- Its geometry is fold.lua.

local grid_axes = require "grids.grid_axes"
local nodes = require "language.nodes"
local ordered = require "base.ordered"
local read = require "language.read"
local report = require "base.report"
local verb = require "language.verb"

local quote = report.quote

local fold_grid = verb.new {
  verb = "fold", call = "table", kind = "grid",
  text = "Makes one box of cells that closes on itself along one axis, and one side of which is joined to itself, as in the "
    .. "north of a tripolar ocean.",
  example = 'fold { axes = "xy", side = "+y", pivot = "corner" }',
  keys = grid_axes.keys { "axes",
    { key = "side", type = "axis", must = true,
      text = "the side that is folded, `\"+y\"` where y ends, `\"-y\"` where it begins" },
    { key = "along", type = "axes", otherwise = "the first that is not across the side",
      text = "the axis that closes on itself, and that runs back beyond the fold" },
    { key = "pivot", type = "words_by_axis", must = true, called = "pivot",
      text = "what the grid is folded about; or, for each of the two axes, `{ x = \"face\", y = \"center\" }`",
      words = { { "corner", "corners of cells" }, { "center", "centers of cells" } },
      inner = { called = "position of a pivot", words = { { "face", "on a face" }, { "center", "in the middle of a cell" } } } },
    "fastest", "order", "decomposed", "blocks", "cells" },
}

-- The side that is folded, { axis =, sign = }; nil after reporting.
local function side_of(node, axes)
  local value = node.entries.side
  if value == nil then return read.missing(node, "side", "no side of the grid is folded", "write " .. fold_grid.example) end
  local sign, name = tostring(value):match("^([+-])(.*)$")
  local axis = type(value) == "string" and sign and read.axis_number(axes, name)
  if axis then return { axis = axis, sign = sign == "-" and -1 or 1 } end
  report.error("HG1310", read.value(node, "side"), ("%s is no side"):format(type(value) == "string" and quote(value)
    or nodes.describe(value)), ('write + or - and an axis, as in "+%s"'):format(axes[#axes]))
end

-- The number of the axis that runs back along the side; nil after reporting.
local function along_of(node, axes, side)
  local first = read.axes(node, "along", axes, { side.axis == 1 and 2 or 1 })
  if not first then return nil end
  if #axes > 1 and #first == 1 and first[1] ~= side.axis then return first[1] end
  report.error("HG1316", node.entries.along ~= nil and read.value(node, "along") or read.value(node, "axes"),
    ("a side across %s is folded along one other axis"):format(axes[side.axis]),
    "name the axis that closes on itself, and that runs back where the side is folded")
end

-- { along, across }, each "face" or "center"; nil after reporting.
local function pivot_of(node, axes, side, along)
  local value = node.entries.pivot
  if value == nil then
    return read.missing(node, "pivot", "the grid does not say about which points it is folded",
      "write " .. fold_grid.example)
  elseif not nodes.is_table(value) then
    local word = read.choice(node, "pivot")
    local at = word == "corner" and "face" or word
    return at and { at, at }
  end
  for _, name in ipairs((ordered.keys(value))) do
    local axis = read.axis_number(axes, tostring(name))
    if axis ~= side.axis and axis ~= along then
      report.error("HG1317", read.key(node, "pivot", name), ("the fold does not turn %s"):format(quote(tostring(name))),
        ('write pivot = { %s = "face", %s = "center" }'):format(axes[along], axes[side.axis]))
      return nil
    end
  end
  local out = {}
  for i, axis in ipairs { along, side.axis } do
    local word = value[axes[axis]]
    if word == nil then
      report.error("HG1317", read.value(node, "pivot"), ("the pivot does not say where it lies along %s"):format(axes[axis]),
        ('write %s = "face" or %s = "center"'):format(axes[axis], axes[axis]))
      return nil
    end
    out[i] = read.word(node, { "pivot", axes[axis] }, word, node.verb.at.pivot.inner)
  end
  return #out == 2 and out or nil
end

function fold_grid.read(node)
  if not read.entries(node, fold_grid) then return nil end
  local grid = grid_axes.read(node)
  local side = grid and side_of(node, grid.axes)
  local along = side and along_of(node, grid.axes, side)
  local pivot = along and pivot_of(node, grid.axes, side, along)
  if not pivot then return nil end
  grid.kind, grid.title = "fold", "folded grid"
  grid.fold = { axis = side.axis, sign = side.sign, along = along, along_at = pivot[1], across_at = pivot[2] }
  return grid
end

return fold_grid
