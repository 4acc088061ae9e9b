-- Cycles: how far steps compute, held against sets of points that are reckoned one by one; and what the prover refuses.

local case = require "case"
local grids = require "grids"
local plan = require "plan.plan"
local prove = require "proof.prove"
local specs = require "specs"

local function build(text)
  local p
  local model = specs.model(text)
  local reports = grids.diagnostics(function() p = plan.build(model) end)
  assert(#reports == 0, reports[1] and reports[1].message)
  return p
end

local function proof(p)
  return grids.diagnostics(function() prove.run(p) end)
end

local function refused(p, code)
  local reports = proof(p)
  assert(reports[1] and reports[1].code == code, reports[1] and reports[1].message or "nobody refused it")
  return reports[1].message
end

-- Two axes; `what` gives the rest.
local function spec_of(what)
  return ([[
local grid = cartesian { axes = "xy", %s }
local u = field "u" { on = grid, type = "double", halo = 4 }
local v = field "v" { on = grid, type = "double", halo = 4, at = { x = "%s" } }
%s
local all = exchange "all" { u, v, %s }
return spec "test" { all, cycle "c" { exchange = all, %s } }
]]):format(what.grid or 'periodic = "xy"', what.at or "center", what.more or "", what.exchange or 'stencil = "box"', what.steps)
end

local STEPS = {
  'step "a" { reads = { u = 1 }, writes = { "u" } }',
  'step "a" { reads = { u = 1 }, writes = { "u" }, stencil = "star" }',
  'step "a" { reads = { u = { x = { lo = 2, hi = 1 } } }, writes = { "v" } }, step "b" { reads = { v = { x = { hi = 1 }, y = 1 }, u = 0 }, '
    .. 'writes = { "u" }, stencil = "star" }',
  'step "a" { reads = { v = 0, u = { x = { lo = 1 }, y = 1 } }, writes = { "v" } }, step "b" { reads = { u = 0, v = { x = { hi = 1 } } }, '
    .. 'writes = { "u" } }',
  'step "a" { reads = { u = 1, v = 1 }, writes = { "u", "v" } }, step "b" { reads = { v = { y = { lo = 1 } } }, writes = { "u" } }, '
    .. 'step "c" { reads = { u = { x = { hi = 2 } } }, writes = { "v" }, stencil = "star" }',
}

-- ---- point by point -----------------------------------------------------------------------------------------------------

local CELLS = 5 -- more than a halo is deep

local function owned(field, a)
  return CELLS + (field.at[a] == "both" and 1 or 0)
end

-- All points of a field whose layers are valid, as numbers: 100 x + y.
local function box(field, layers)
  local points = {}
  for x = -layers.lo[1], owned(field, 1) + layers.hi[1] - 1 do
    for y = -layers.lo[2], owned(field, 2) + layers.hi[2] - 1 do points[100 * x + y] = true end
  end
  return points
end

local function offsets(step, entry)
  local list = {}
  for x = -entry.lo[1], entry.hi[1] do
    for y = -entry.lo[2], entry.hi[2] do
      if step.stencil == "box" or x == 0 or y == 0 then list[#list + 1] = 100 * x + y end
    end
  end
  return list
end

-- Does every point that a step reads, of those that it computes, lie among the valid ones?
local function finds_all(step, layers, valid)
  for _, written in ipairs(step.writes) do
    for _, entry in ipairs(step.reads) do
      local around = offsets(step, entry)
      for point in pairs(box(written, layers)) do
        for _, by in ipairs(around) do
          if not valid[entry.field][point + by] then return false end
        end
      end
    end
  end
  return true
end

-- Do all cycles behind one exchange find what they read?
local function works(p, times)
  local planned, valid = p.cycles[1], {}
  for _, item in ipairs(p.exchanges[1].items) do valid[item.field] = box(item.field, item) end
  for at = 1, times do
    for s, step in ipairs(planned.cycle.steps) do
      local layers = planned.layers[times - at + 1][s]
      if not finds_all(step, layers, valid) then return false end
      for _, field in ipairs(step.writes) do valid[field] = box(field, layers) end
    end
  end
  return true
end

case("steps find what they read, and compute no more than that", function()
  for _, steps in ipairs(STEPS) do
    for _, at in ipairs { "center", "both" } do
      local p = build(spec_of { steps = steps, at = at })
      local planned = p.cycles[1]
      assert(planned.most >= 1 and #proof(p) == 0, steps)
      for times = 1, planned.most do assert(works(p, times), steps) end
      for r = 1, planned.most do
        for s in ipairs(planned.cycle.steps) do
          for _, side in ipairs { "lo", "hi" } do
            for a = 1, 2 do
              local layers = planned.layers[r][s][side]
              if layers[a] > 0 then
                layers[a] = layers[a] - 1
                local still = true
                for times = r, planned.most do still = still and works(p, times) end
                assert(not still, ("%s: one layer less of step %d"):format(steps, s))
                refused(p, "HG2024")
                layers[a] = layers[a] + 1
              end
            end
          end
        end
      end
    end
  end
end)

case("the prover and the points say the same of every change", function()
  for _, steps in ipairs(STEPS) do
    local p = build(spec_of { steps = steps, at = "both" })
    local planned = p.cycles[1]
    for r = 1, planned.most do
      for s in ipairs(planned.cycle.steps) do
        for _, side in ipairs { "lo", "hi" } do
          for a = 1, 2 do
            for _, by in ipairs { -1, 1, 2 } do
              local layers = planned.layers[r][s][side]
              if layers[a] + by >= 0 then
                layers[a] = layers[a] + by
                local fine = true
                for times = 1, planned.most do fine = fine and works(p, times) end
                assert(fine == (#proof(p) == 0), ("%s: step %d, %d"):format(steps, s, by))
                layers[a] = layers[a] - by
              end
            end
          end
        end
      end
    end
  end
end)

case("as many cycles as the halo is deep for", function()
  local function most(what) return build(spec_of(what)).cycles[1].most end
  assert(most { steps = STEPS[1] } == 4)
  assert(most { steps = STEPS[2] } == 4)
  assert(most { steps = 'step "a" { reads = { u = { x = 2 } }, writes = { "u" } }' } == 2)
  assert(most { steps = 'step "a" { reads = { u = 0 }, writes = { "u" } }' } == 64)
  assert(most { steps = STEPS[1], exchange = "width = { x = 3, y = 4 }" } == 3)
  -- A star brings no corners: good for one cycle of one step that reads along the axes.
  assert(most { steps = STEPS[2], exchange = 'stencil = "star"' } == 1)
  -- No block lies beyond a side of an axis that is whole and not closed: nothing has to be brought from there.
  assert(most { steps = 'step "a" { reads = { u = { y = 2 } }, writes = { "u" } }', grid = 'periodic = "x", decomposed = "x"' } == 64)
  assert(most { steps = STEPS[1], grid = 'periodic = "x", decomposed = "x"', exchange = "width = { x = 4 }" } == 4)
  -- Fields that a step writes have room for what it computes in the halo.
  assert(most { steps = 'step "a" { reads = { u = 1 }, writes = { "u", "w" } }', more = 'local w = field "w" { on = grid, type = "double" }' } == 1)
  assert(most { steps = 'step "a" { reads = { u = 1 }, writes = { "w" } }, step "b" { reads = { w = 1, u = 0 }, writes = { "u" } }',
    more = 'local w = field "w" { on = grid, type = "double", halo = 1 }' } == 1)
  -- No star fills what lies beyond walls in columns of the halo.
  assert(most { steps = 'step "a" { reads = { u = { x = 1 }, v = { y = 1 } }, writes = { "u" } }', grid = 'periodic = "x", decomposed = "x"',
    exchange = 'stencil = "star", boundary = "copy"' } == 1)
  -- Beyond the last face there is a cell, and beyond the last cell no face.
  local faces = { at = "both", grid = 'periodic = "y"', exchange = 'boundary = "copy"' }
  faces.steps = 'step "a" { reads = { u = 0, v = { x = { hi = 1 } } }, writes = { "u" } }, step "b" { reads = { v = 0 }, writes = { "v" } }'
  assert(most(faces) == 64)
  faces.steps = 'step "a" { reads = { v = 0, u = 0 }, writes = { "v" } }, step "b" { reads = { u = 0 }, writes = { "u" } }'
  assert(most(faces) == 1)
  -- What fills walls holds until the field is written.
  assert(most { steps = STEPS[1], grid = 'periodic = "x"', exchange = 'boundary = "copy"' } == 1)
end)

case("what it says", function()
  local steps = 'step "a" { reads = { u = 3 }, writes = { "u" } }, step "b" { reads = { u = { x = { hi = 2 } } }, writes = { "u" } }'
  assert(refused(build(spec_of { steps = steps }), "HG2024"):find(
    'step "a" of cycle "c" reads field "u" up to layer 5 above x, and there 4 are valid', 1, true))
  steps = 'step "a" { reads = { u = 1 }, writes = { "u" } }, step "b" { reads = { u = 1 }, writes = { "u" } }'
  assert(refused(build(spec_of { steps = steps, exchange = 'stencil = "star"' }), "HG2024"):find("in the corner below x and below y", 1, true))
  refused(build(spec_of { steps = steps, grid = 'periodic = "x"', exchange = 'boundary = "zero"' }), "HG2026")
  local room = 'step "a" { reads = { u = 1 }, writes = { "w" } }, step "b" { reads = { w = 1, u = 0 }, writes = { "u" } }'
  assert(refused(build(spec_of { steps = room, more = 'local w = field "w" { on = grid, type = "double" }' }), "HG2027"):find(
    'would compute field "w" in layer 1 below x, and its halo has 0 there', 1, true))
  local turned = spec_of({ steps = steps }):gsub("cartesian %b{}", 'cubed_sphere { axes = "xy" }')
  assert(refused(build(turned), "HG2025"):find("axes run in another sense", 1, true))
  local folded = spec_of({ steps = steps }):gsub("cartesian %b{}", 'fold { axes = "xy", side = "+y", pivot = "corner" }')
  assert(refused(build(folded), "HG2025"))
end)

-- ---- which cycles have to exchange anew -----------------------------------------------------------------------------------

-- Numbers of the cycles that each of two ends.
local function ended(first, second)
  local p = build(([[
local grid = cartesian { axes = "x", periodic = "x" }
local u, v, w = fields { "u", "v", "w", on = grid, type = "double", halo = 2 }
local one, two = exchange "one" { %s }, exchange "two" { %s }
return spec "test" { one, two, cycle "a" { exchange = one, step "s" { %s } }, cycle "b" { exchange = two, step "s" { %s } } }
]]):format(first.brings, second.brings, first.step, second.step))
  return table.concat(p.cycles[1].ends, ","), table.concat(p.cycles[2].ends, ",")
end

case("which cycles another one ends", function()
  local of_u, of_v = { brings = "u", step = 'reads = { u = 1 }, writes = { "u" }' }, { brings = "v", step = 'reads = { v = 1 }, writes = { "v" }' }
  local a, b = ended(of_u, of_v)
  assert(a == "" and b == "")
  -- It writes what the other one's exchange brings, and its own does not.
  a, b = ended({ brings = "u", step = 'reads = { u = 1 }, writes = { "v" }' }, of_v)
  assert(a == "2" and b == "")
  -- Its exchange brings a field that both read: perhaps rounded, so the other one exchanges, too.
  a, b = ended({ brings = "u, w", step = 'reads = { u = 1, w = 0 }, writes = { "u" }' }, { brings = "v, w", step = 'reads = { v = 1, w = 0 }, writes = { "v" }' })
  assert(a == "2" and b == "1")
end)
