-- How many bytes exchanges move: formulas for the emitted header, in rows of words.

local directions = require "plan.directions"
local memory = require "model.memory"
local ordered = require "base.ordered"
local shared = require "plan.shared"
local wires = require "model.wires"

local prose_bytes = {}

local function product(factors)
  local out = {}
  for _, factor in ipairs(factors) do
    if factor ~= "1" then out[#out + 1] = factor end
  end
  return #out > 0 and table.concat(out, " * ") or "1"
end

-- Points of a field along an axis: "nx", "(nx + 1)", "(nx + 4)".
local function count(name, more)
  return more == 0 and name or ("(%s + %d)"):format(name, more)
end

local function star_points(item, names, extra)
  local terms = {}
  for a in ipairs(names) do
    local depth = item.lo[a] + item.hi[a]
    if depth > 0 then
      local factors = { tostring(depth) }
      for b, name in ipairs(names) do
        if b ~= a then factors[#factors + 1] = count(name, extra[b]) end
      end
      terms[#terms + 1] = product(factors)
    end
  end
  return table.concat(terms, " + ")
end

local function box_points(item, names, extra)
  local deep = 0
  for a in ipairs(names) do
    if item.lo[a] + item.hi[a] > 0 then deep = deep + 1 end
  end
  if deep == 1 then return star_points(item, names, extra) end
  local grown, owned = {}, {}
  for a, name in ipairs(names) do
    grown[a] = count(name, extra[a] + item.lo[a] + item.hi[a])
    owned[a] = count(name, extra[a])
  end
  return ("%s - %s"):format(product(grown), product(owned))
end

local function listed_points(planned, item, names, extra)
  local terms = {}
  for _, direction in ipairs(planned.directions) do
    local factors = {}
    for a, side in ipairs(direction) do
      factors[a] = side == 0 and count(names[a], extra[a]) or tostring(side < 0 and item.lo[a] or item.hi[a])
    end
    local points = product(factors)
    if not table.concat(factors, "*"):find("%f[%w]0%f[%W]") then terms[#terms + 1] = points end
  end
  return table.concat(terms, " + ")
end

-- Numbers that a block receives of a field whose components travel: "10 * ny * nz + 4 * nz"; opposite directions together.
local function travelling_numbers(planned, item, names, extra)
  local terms, index = {}, {}
  for _, direction in ipairs(planned.directions) do
    local number, factors = directions.count(item.field, direction), {}
    for a, side in ipairs(direction) do
      if side == 0 then factors[#factors + 1] = count(names[a], extra[a]) end
      number = number * (side == 0 and 1 or side < 0 and item.lo[a] or item.hi[a])
    end
    local points = product(factors)
    if number > 0 and not index[points] then
      terms[#terms + 1] = { number = 0, points = points, axes = #factors }
      index[points] = terms[#terms]
    end
    if number > 0 then index[points].number = index[points].number + number end
  end
  ordered.sort(terms, function(x, y) return x.axes > y.axes end)
  for t, term in ipairs(terms) do terms[t] = product { tostring(term.number), term.points } end
  return table.concat(terms, " + ")
end

-- Shared points that come to a block with neighbors on all sides: those on its high faces where one block decides, for a mean
-- or a sum those of each other block that holds them.  Along an axis with faces n + 1 points are held, n of them by this block first,
-- and all in all n + 3 times.  Without faces there are points on a fold at most, which few blocks have.
local function shared_points(planned, names, extra)
  local most, least, all = {}, {}, shared.combines(planned.shared)
  for a, name in ipairs(names) do
    most[a] = count(name, extra[a] * (all and 3 or 1))
    least[a] = count(name, extra[a] * (all and 1 or 0))
  end
  local received, held = product(most), product(least)
  return received ~= held and ("%s - %s"):format(received, held) or "0"
end

-- Bytes as a formula of the block's cells, fields of equal formula added up.
function prose_bytes.received(plan, cells_name)
  local names = {}
  for a, axis in ipairs(plan.model.grid.axes) do names[a] = cells_name(axis) end
  local rows = {}
  for _, planned in ipairs(plan.exchanges) do
    local terms, index = {}, {}
    for _, item in ipairs(planned.exchange.items) do
      local extra = plan.positions[plan.positions_of[item.field.index]].extra
      local stencil = planned.exchange.stencil
      local points = planned.shared and shared_points(planned, names, extra)
        or stencil == "star" and star_points(item, names, extra)
        or stencil == "box" and box_points(item, names, extra) or listed_points(planned, item, names, extra)
      local components = memory.count(item.field)
      if item.field.directions then points, components = travelling_numbers(planned, item, names, extra), 1 end
      if not index[points] then
        terms[#terms + 1] = { bytes = 0, points = points }
        index[points] = terms[#terms]
      end
      index[points].bytes = index[points].bytes + wires.size(item) * components
    end
    for t, term in ipairs(terms) do
      rows[#rows + 1] = {
        t == 1 and planned.exchange.name or "",
        (term.points:find("%D") and "%s%d * (%s)" or "%s%d * %s"):format(t == 1 and "  " or "+ ", term.bytes, term.points),
      }
    end
  end
  return rows
end

-- Bytes that travel with each point of a list.
function prose_bytes.of_points(plan)
  local level, rows = plan.model.grid.axes[2], {}
  for e, planned in ipairs(plan.exchanges) do
    local terms, index = {}, {}
    for _, item in ipairs(planned.exchange.items) do
      local extra = level and plan.positions[plan.positions_of[item.field.index]].extra[2] or 0
      local points = level and count(plan.model.grid.cells[2] or "n_" .. level, extra) or ""
      if not index[points] then
        terms[#terms + 1] = { bytes = 0, points = points }
        index[points] = terms[#terms]
      end
      index[points].bytes = index[points].bytes + wires.size(item) * memory.count(item.field)
    end
    for t, term in ipairs(terms) do
      terms[t] = level and ("%d * %s"):format(term.bytes, term.points) or tostring(term.bytes)
    end
    rows[e] = { planned.exchange.name, table.concat(terms, " + ") }
  end
  return rows
end

return prose_bytes
