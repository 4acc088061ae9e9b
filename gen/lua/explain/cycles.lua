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

local FIRST = 6 -- numbers of cycles that are shown, and the last, and the fastest

-- Nanoseconds that a point may take for k cycles to be faster than one; nil where the exchange has no predicted time.
local function break_even(microseconds, k, points, points_of_one)
  if not microseconds or k == 1 then return nil end
  return 1e3 * microseconds * (1 - 1 / k) / (points - points_of_one)
end

-- For each number of cycles that an exchange may serve.  rank: of report.lua; predicted: microseconds of the exchange, or nil.
local function all_served(planned, rank, predicted, point_ns)
  local n, served, sum, of_one = rank.block[1].n, {}, 0, nil
  local owned = points_of_cycle(planned.cycle, n)
  for k = 1, planned.most do
    sum = sum + points_of_cycle(planned.cycle, n, planned.layers[k])
    local points = rank.blocks * sum / k
    of_one = of_one or points
    served[k] = { cycles = k, points = sum / k / owned, exchange_microseconds = predicted and predicted / k,
      pays_below_ns = break_even(predicted, k, points, of_one),
      cycle_microseconds = predicted and point_ns and predicted / k + 1e-3 * point_ns * points or nil }
  end
  return served
end

-- The number of cycles that takes least, of equals the least; nil where that cannot be told.
local function fastest(served)
  local best = served[1]
  for _, row in ipairs(served) do
    if row.cycle_microseconds and row.cycle_microseconds < best.cycle_microseconds then best = row end
  end
  return best and best.cycle_microseconds and best.cycles or nil
end

local function shown(served, best)
  local out = {}
  for k, row in ipairs(served) do
    if k <= FIRST or k == #served or k == best then out[#out + 1] = row end
  end
  return out
end

-- exchanges, rank: of report.lua; machine: of machine.lua, or nil.
function cycles.of(plan, exchanges, rank, machine)
  local out, point_ns = {}, machine and machine.step and machine.step.point_ns
  for c, planned in ipairs(plan.cycles) do
    local exchange = exchanges[planned.exchange]
    local predicted = exchange.total and exchange.total.predicted and exchange.total.predicted.microseconds
    local served = rank.block[1] and all_served(planned, rank, predicted, point_ns) or {}
    local best = fastest(served)
    out[c] = { name = planned.cycle.name, line = planned.cycle.where.line, exchange = exchange.name, most = planned.most,
      step = emit_cycles.steps(planned), served = shown(served, best), fastest = best }
  end
  return out
end

return cycles
