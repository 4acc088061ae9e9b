-- What `halogen explain` tells of cycles: how far steps compute, how many points more than the owned ones, and from which number of
-- cycles an exchange pays for itself.

local emit_cycles = require "emit.emit_cycles"
local geometry = require "grids.geometry"

local cycles = {}

-- Points of a box around a block's owned ones.
local function points_of(field, n, layers)
  local points = 1
  for a, cells in ipairs(n) do
    points = points * (cells + geometry.extra(field.at[a]) + (layers and layers.lo[a] + layers.hi[a] or 0))
  end
  return points
end

-- That all steps of a cycle compute, of all fields that they write; layers: by step, nil: owned points.
local function points_of_cycle(cycle, n, layers)
  local points = 0
  for s, step in ipairs(cycle.steps) do
    for _, field in ipairs(step.writes) do points = points + points_of(field, n, layers and layers[s]) end
  end
  return points
end

-- Numbers of cycles that are shown: the first few, and the last.
local function shown(most)
  local list = {}
  for k = 1, math.min(most, 6) do list[k] = k end
  if most > 6 then list[7] = most end
  return list
end

-- Nanoseconds that a point may take for k cycles to be faster than one; nil where the exchange has no predicted time.
local function break_even(microseconds, k, points, points_of_one)
  if not microseconds or k == 1 then return nil end
  return 1e3 * microseconds * (1 - 1 / k) / (points - points_of_one)
end

-- exchanges: of report.lua; n: cells of the block that is shown; nil: there is none.
function cycles.of(plan, exchanges, n)
  local out = {}
  for c, planned in ipairs(plan.cycles) do
    local exchange = exchanges[planned.exchange]
    local predicted = exchange.total and exchange.total.predicted and exchange.total.predicted.microseconds
    local owned, served, sum, at = n and points_of_cycle(planned.cycle, n), {}, 0, 0
    for _, k in ipairs(n and shown(planned.most) or {}) do
      while at < k do
        at = at + 1
        sum = sum + points_of_cycle(planned.cycle, n, planned.layers[at])
      end
      served[#served + 1] = { cycles = k, points = sum / k / owned, exchange_microseconds = predicted and predicted / k,
        pays_below_ns = break_even(predicted, k, sum / k, served[1] and served[1].points * owned) }
    end
    out[c] = { name = planned.cycle.name, line = planned.cycle.where.line, exchange = exchange.name, most = planned.most,
      step = emit_cycles.steps(planned), served = served }
  end
  return out
end

return cycles
