-- Folds: specs as text, through rules, plan and proof, against the index formulas of ocean models that have them.

local case = require "case"
local cut = require "cut"
local dump = require "emit.dump"
local emit = require "emit.emit"
local grids = require "grids"
local mutate = require "mutate"
local ordered = require "base.ordered"
local plan = require "plan.plan"
local prove = require "proof.prove"
local specs = require "specs"

local function planned(text)
  local m, reports = specs.read(text)
  assert(m, reports[1] and reports[1].message)
  local p
  reports = grids.diagnostics(function() p = plan.build(m) end)
  return p, reports
end

local function plan_of(text)
  local p, reports = planned(text)
  assert(#reports == 0, reports[1] and reports[1].message)
  reports = grids.diagnostics(function() prove.run(p) end)
  assert(#reports == 0, reports[1] and reports[1].message)
  return p
end

local function spec_of(fold, fields, exchange)
  return ("local grid = fold { %s }\n%s\nreturn spec \"test\" { exchange \"e\" { %s } }"):format(fold, fields, exchange)
end

-- What an exchange of field number `field` writes on a grid of n x m cells: "x y" -> "x y sign".
local function written(p, field, n, m)
  local out = {}
  cut.each(cut.parse(dump.links(p)), { [0] = { { 0, n }, { 0, m } } }, function(ghost, source)
    if ghost.field == field and source then
      local key = ("%d %d"):format(ghost.point[1], ghost.point[2])
      assert(not out[key], "twice: " .. key)
      out[key] = ("%d %d %d"):format(source.point[1], source.point[2], source.sign)
    end
  end)
  return out
end

-- ---- against NEMO -----------------------------------------------------------------------------------------------------

-- Typed in from what its north fold does on its arrays, whose columns count from 1 to jpiglo = n + 2, with one of halo on
-- either side, and whose rows end with one of halo, ijpj: the row above it and the row below it come from (i(ji), rows
-- further down), and in some rows the columns from `half` on, only.  { row from the top, i(ji), row of the source, first }
local function mirror(more) return function(ji, jpiglo) return jpiglo - ji + more end end
local T, U = mirror(2), mirror(1)
local NEMO = {
  center = {
    T = { { 0, T, 2 }, { 1, T, 1, function(jpiglo) return jpiglo // 2 + 1 end } },
    U = { { 0, U, 2 }, { 1, U, 1, function(jpiglo) return jpiglo // 2 + 1 end } },
    V = { { 0, T, 3 }, { 1, T, 2 } },
    F = { { 0, U, 3 }, { 1, U, 2 } },
  },
  corner = {
    T = { { 0, U, 1 } },
    U = { { 0, mirror(0), 1 } },
    V = { { 0, U, 2 }, { 1, U, 1, function(jpiglo) return jpiglo // 2 + 1 end } },
    F = { { 0, mirror(0), 2 }, { 1, mirror(0), 1, function(jpiglo) return jpiglo // 2 + 1 end } },
  },
}
local PLACES = { T = "{}", U = '{ x = "high" }', V = '{ y = "high" }', F = '{ x = "high", y = "high" }' }

-- A pivot on the line is its own image: NEMO writes there what it holds, or its opposite, and we write nothing.  For U
-- points and a T pivot NEMO begins one column earlier, with the twin of the next one, from which it is then read back.
local function test_nemo()
  local n, m = 8, 5
  for pivot, points in pairs(NEMO) do
    for point, rows in pairs(points) do
      local p = plan_of(spec_of(('axes = "xy", side = "+y", pivot = "%s"'):format(pivot),
        ('local h = field "h" { on = grid, type = "double", halo = 1, at = %s }'):format(PLACES[point]), "h"))
      local found, jpiglo = written(p, 0, n, m), n + 2
      for _, row in ipairs(rows) do
        for ji = 2, jpiglo - 1 do
          local i, j = ji - 2, m - row[1]
          local key = ("%d %d"):format(i, j)
          local source = (row[2](ji, jpiglo) - 2) % n
          local wanted = (not row[4] or ji >= row[4](jpiglo)) and not (source == i and row[3] == row[1])
            and ("%d %d 1"):format(source, m - row[3]) or nil
          assert(found[key] == wanted, ("%s pivot, %s points, (%s): %s, not %s"):format(pivot, point, key, found[key] or "nothing",
            wanted or "nothing"))
        end
      end
    end
  end
end

-- ---- every pivot, side and position ---------------------------------------------------------------------------------

local PLACEMENTS = { "center", "low", "high", "both" }

local function fold_text(side, along, at_along, at_across)
  return ('axes = "xy", side = "%s", along = "%s", pivot = { %s = "%s", %s = "%s" }'):format(side, along, along, at_along,
    side:sub(2), at_across)
end

local function each_fold(visit)
  for _, side in ipairs { "+y", "-y", "+x", "-x" } do
    for _, at_along in ipairs { "face", "center" } do
      for _, at_across in ipairs { "face", "center" } do
        visit(side, side:sub(2) == "y" and "x" or "y", at_along, at_across)
      end
    end
  end
end

-- Refused is what leaves faces to nobody, and nothing else.
local function test_placements()
  local accepted, refused = 0, 0
  each_fold(function(side, along, at_along, at_across)
    for _, first in ipairs(PLACEMENTS) do
      for _, second in ipairs(PLACEMENTS) do
        local text = spec_of(fold_text(side, along, at_along, at_across),
          ('local h = field "h" { on = grid, type = "double", halo = 2, at = { %s = "%s", %s = "%s" } }'):format(along, first,
            side:sub(2), second), "h")
        local inner = side:sub(1, 1) == "+" and "low" or "high"
        if at_across == "face" and second == inner then
          local _, reports = planned(text)
          assert(reports[1].code == "HG2005" and #reports == 1)
          refused = refused + 1
        else
          plan_of(text)
          accepted = accepted + 1
        end
      end
    end
  end)
  assert(accepted == 224 and refused == 32, accepted .. " " .. refused)
end

-- Layers across the side alone, or on one side along it too, come from where those of a whole halo do.
local function test_few_layers()
  each_fold(function(side, along, at_along, at_across)
    local function made(layers)
      return written(plan_of(spec_of(fold_text(side, along, at_along, at_across),
        ('local h = field "h" { on = grid, type = "double", halo = %s }'):format(layers), "h")), 0, 5, 5)
    end
    local whole, across = made("2"), side:sub(2)
    for _, layers in ipairs { "{ %s = 2 }", "{ %s = 2, %s = { lo = 1 } }", "{ %s = 1, %s = { hi = 2 } }" } do
      local count = 0
      for key, source in pairs(made(layers:format(across, along))) do
        assert(whole[key] == source, ("%s, halo = %s, (%s): %s"):format(side, layers, key, source))
        count = count + 1
      end
      assert(count >= 5, count)
    end
  end)
end

-- Without ghost points beyond the fold there is nothing that nobody owns, and nothing to rewrite.
local function test_other_sides()
  local p = plan_of(spec_of('axes = "xy", side = "+y", pivot = "corner"',
    'local h = field "h" { on = grid, type = "double", halo = { x = 1, y = { lo = 1 } }, at = { y = "low" } }', "h"))
  assert(#p.positions[1].rewrites == 0 and #p.exchanges[1].rewritten == 0)
  for key in pairs(written(p, 0, 4, 4)) do assert(key:find("^-1 ") or key:find("^4 ")) end
end

-- What is read of a field does not depend on what is exchanged of another one.
local function test_other_fields()
  local h = 'local h = field "h" { on = grid, type = "double", halo = { x = 1 } }'
  local g = '\nlocal g = field "g" { on = grid, type = "double", halo = 1 }'
  local grid = 'axes = "xy", side = "+y", pivot = "center"'
  local alone, beside = plan_of(spec_of(grid, h, "h")), plan_of(spec_of(grid, h .. g, "h, g"))
  assert(beside.positions_of[1] ~= beside.positions_of[2] and #beside.positions[beside.positions_of[2]].rewrites > 0)
  local found = written(beside, 0, 8, 4)
  for key, source in pairs(written(alone, 0, 8, 4)) do assert(found[key] == source, key) end
  assert(found["8 3"] == "0 3 1" and found["-1 3"] == "7 3 1")
end

-- Who copies to the side takes what is on the far half of the fold from the half that is kept.
local function test_nobody_reads_what_is_rewritten()
  local p = plan_of(spec_of('axes = "xy", side = "+y", pivot = "center"',
    'local u = field "u" { on = grid, type = "double", halo = 1 }\nlocal v = field "v" { on = grid, type = "double", halo = 1 }\n'
    .. 'local wind = vector "wind" { u, v }', "u, v"))
  local found = written(p, 0, 8, 4)
  assert(found["5 3"] == "3 3 -1" and found["7 3"] == "1 3 -1" and not found["4 3"] and not found["0 3"] and not found["3 3"])
  assert(found["-1 3"] == "1 3 -1" and found["8 3"] == "0 3 1" and found["-1 2"] == "7 2 1")
end

local function test_three_axes()
  local p = mutate.fresh(plan_of(spec_of('axes = "zyx", side = "-x", along = "y", pivot = "center"',
    'local h = field "h" { on = grid, type = "double", halo = { x = 2, y = 1 } }', "h")))
  local box = p.exchanges[1].rewritten[1].box
  assert(box.link.direction[3] == -1 and box.lo[1].halves == 0 and box.hi[1].halves == 2 and box.hi[3].halves == 0)
  p.positions[1].rewrites[1].lo[1].offset = 2
  local said = grids.diagnostics(function() prove.run(p) end)[1].message
  assert(said:find("a rewrite does not have all of axis z", 1, true), said)
end

-- Shared are points on faces that blocks have in common, and those that lie on others; nothing else.
local function test_shared()
  local accepted = 0
  each_fold(function(side, along, at_along, at_across)
    for _, first in ipairs(PLACEMENTS) do
      for _, second in ipairs(PLACEMENTS) do
        local text = spec_of(fold_text(side, along, at_along, at_across),
          ('local h = field "h" { on = grid, type = "double", at = { %s = "%s", %s = "%s" } }'):format(along, first,
            side:sub(2), second), 'h, only = "shared"')
        local outer = side:sub(1, 1) == "+" and "high" or "low"
        local across = second == "both" or second == outer or second == "center" and at_across == "center"
        local m, reports = specs.read(text)
        if across or first == "both" then
          local p = m and plan_of(text)
          local along_ring, wanted = first == "both" and 3 or 1, second == "both" and 3 or across and 2 or 1
          assert(p and #p.exchanges[1].directions == along_ring * wanted - 1, text)
          accepted = accepted + 1
        else
          assert(not m and reports[1].code == "HG1521" and #reports == 1, text)
        end
      end
    end
  end)
  assert(accepted == 184, accepted)
end

-- Walls are where the grid neither closes nor is folded.
local function test_walls()
  local p = plan_of(spec_of('axes = "xyz", side = "+y", pivot = "corner"', 'local h = field "h" { on = grid, type = "double", halo = 1 }',
    'h, boundary = "mirror"'))
  local planned = p.exchanges[1]
  assert(table.concat(planned.boundary.lo, " ") == "none mirror mirror" and table.concat(planned.boundary.hi, " ") == "none none mirror")
  for _, place in ipairs { { "lo", 1 }, { "hi", 1 }, { "hi", 2 } } do
    local side, axis = place[1], place[2]
    planned.boundary[side][axis], planned.exchange.boundary[side][axis] = "zero", "zero"
    local reports = grids.diagnostics(function() prove.run(p) end)
    assert(#reports == 1 and reports[1].code == "HG2019" and reports[1].message:find("where the grid is folded", 1, true))
    planned.boundary[side][axis], planned.exchange.boundary[side][axis] = "none", "none"
  end
end

-- ---- in words ---------------------------------------------------------------------------------------------------------

local function test_words()
  local p = plan_of(spec_of('axes = "xy", side = "+y", pivot = "center"', [[
local h = field "h" { on = grid, type = "double", halo = 1 }
local f = field "f" { on = grid, type = "double", halo = 1, at = { x = "low", y = "high" } }
local g = field "g" { on = grid, type = "double", halo = 1, at = { x = "both" } }]], "h, f, g"))
  local said = dump.plan(p)
  for _, line in ipairs { "h, x = (n_x + 2) / 2 ... n_x - 1, y = n_y - 1", "f, y = n_y - 1",
    "g, x = (n_x + 3) / 2 ... n_x, y = n_y - 1", "g, x = 0, y = n_y - 1" } do
    assert(said:find("\n  rewritten: " .. line .. "\n", 1, true), said)
  end
  assert(dump.model(p):find("\n  folded      side +y, along x, about centers of cells\n", 1, true))
  local aside = plan_of(spec_of('axes = "xy", side = "+y", pivot = { x = "face", y = "center" }',
    'local h = field "h" { on = grid, type = "double", halo = 1 }', "h"))
  assert(dump.model(aside):find(", about faces of cells across x\n", 1, true))
  local shared = plan_of(spec_of('axes = "xy", side = "+y", pivot = "center"', [[
local h, g = fields { "h", "g", on = grid, type = "double" }]], 'h, g, only = "shared", agree = "owner"'))
  assert(dump.plan(shared):find("\n  lies on others: h, x = (n_x + 2) / 2 ... n_x - 1, y = n_y - 1\n", 1, true), dump.plan(shared))
  assert(dump.plan(shared):find("what lies on no other decides", 1, true))
  local agreeing = table.concat(emit.view(shared).exchanges[1].manual, "\n")
  assert(agreeing:find("they never decide, counted from 0 in the grid", 1, true) and agreeing:find("    h, g: x = (n_x + 2) / 2", 1, true), agreeing)
  local added = plan_of(spec_of('axes = "xy", side = "+y", pivot = "center"',
    'local h = field "h" { on = grid, type = "double", halo = 1 }', 'h, op = "add"'))
  local sums = table.concat(emit.view(added).exchanges[1].manual, "\n")
  assert(sums:find("Adds owned points", 1, true) and not sums:find("they are written then", 1, true), sums)
  local manual = table.concat(emit.view(p).exchanges[1].manual, "\n")
  assert(manual:find("Rewrites owned points", 1, true) and manual:find("    f: y = n_y - 1", 1, true), manual)
end

-- ---- mutation ---------------------------------------------------------------------------------------------------------

-- Where each point comes from, for more extents than the prover tries.
local function mapping(p)
  local lines, links = {}, cut.parse(dump.links(p))
  for n = 1, 9 do
    for m = 4, 7 do
      cut.each(links, { [0] = { { 0, n }, { 0, m } } }, function(ghost, source, why)
        lines[#lines + 1] = table.concat({ n, m, ghost.field, table.concat(ghost.point, " "), source
          and table.concat(source.point, " ") .. " " .. source.sign .. " " .. source.field or why }, ",")
      end)
    end
  end
  return table.concat(lines, "\n")
end

-- What the tables say of owned points: by each link, where it leads from them, and how often they are rewritten.
local function doubles(p)
  local lines = {}
  local function add(...) lines[#lines + 1] = table.concat({ ... }, " ") end
  local function within(x, lo, hi, cells) return x >= (lo.halves * cells + lo.offset) // 2 and x < (hi.halves * cells + hi.offset) // 2 end
  for c, positions in ipairs(p.positions) do
    for n, m in pairs { [1] = 1, [2] = 3, [5] = 4, [8] = 2 } do
      for i = 0, (n + positions.extra[1]) * (m + positions.extra[2]) - 1 do
        local at, cells = { i % (n + positions.extra[1]), i // (n + positions.extra[1]) }, { n, m }
        for _, link in ipairs(positions.links) do
          local image = {}
          for s, map in ipairs(link.map) do
            image[s] = map.sign * at[map.axis] + (map.destination_cells + map.source_cells) * cells[s] + map.offset
          end
          add(c, n, m, i, table.concat(link.direction, ","), image[1], image[2], link.sign)
        end
        local times = 0
        for _, box in ipairs(positions.rewrites) do
          if within(at[1], box.lo[1], box.hi[1], n) and within(at[2], box.lo[2], box.hi[2], m) then times = times + 1 end
        end
        add(c, n, m, i, times)
      end
    end
  end
  return table.concat(ordered.sort(lines, function(x, y) return x < y end), "\n")
end

-- "The field itself" and "the component along its axis", 16 and 8; bounds that are rounded to the same, or go on where the grid
-- has no points.
local EQUIVALENT = 67

local function test_mutants()
  local mutants, equivalent = 0, 0
  for _, text in ipairs {
    spec_of('axes = "xy", side = "+y", pivot = "center"', [[
local u = field "u" { on = grid, type = "double", halo = 1, at = { x = "both" } }
local v = field "v" { on = grid, type = "double", halo = 1, at = { y = "both" } }
local wind = vector "wind" { u, v }]], "u, v"),
    spec_of('axes = "xy", side = "-x", along = "y", pivot = "corner"', [[
local h = field "h" { on = grid, type = "double", halo = 2, at = "low" }]], "h"),
    spec_of('axes = "xy", side = "+y", pivot = "center"', [[
local u = field "u" { on = grid, type = "double", at = { x = "both" } }
local v = field "v" { on = grid, type = "double", at = { y = "both" } }
local wind = vector "wind" { u, v }]], 'u, v, only = "shared"'),
    spec_of('axes = "xy", side = "-y", pivot = "corner"', 'local h = field "h" { on = grid, type = "double", at = "both" }',
      'h, only = "shared", agree = "owner"'),
  } do
    local p = mutate.fresh(plan_of(text))
    local mapping = p.exchanges[1].shared and doubles or mapping
    local sound = mapping(p)
    mutate.each(p, function(what)
      mutants = mutants + 1
      if #grids.diagnostics(function() prove.run(p) end) > 0 then return end
      assert(mapping(p) == sound, "survives: " .. what)
      equivalent = equivalent + 1
    end)
  end
  assert(mutate.counts(equivalent, EQUIVALENT), equivalent)
  print(("%d mutants of folds, %d equivalent, all others refused"):format(mutants, equivalent))
end

-- What is no number of a table: the pivot and the side, which the prover reads in the grid.
local function test_other_folds()
  local function fold_of(grid) return grid.fold end
  local p = plan_of(spec_of('axes = "xy", side = "+y", pivot = "center"',
    'local h = field "h" { on = grid, type = "double", halo = 1, at = "both" }', "h"))
  local fold = fold_of(p.model.grid)
  for key, value in pairs { along_at = "face", across_at = "face", sign = -1 } do
    local was = fold[key]
    fold[key] = value
    assert(#grids.diagnostics(function() prove.run(p) end) > 0, key)
    fold[key] = was
  end
  fold.along_at = "face"
  assert(grids.diagnostics(function() prove.run(p) end)[1].code == "HG2021")
end

-- The widest halo that the language has, in as many steps as specs may take.
local function test_wide()
  plan_of(spec_of('axes = "xy", side = "+y", pivot = "center"', 'local h = field "h" { on = grid, type = "double", halo = 64, '
    .. 'at = "both" }', "h"))
  local steps, p = 0, nil
  debug.sethook(function() steps = steps + 1 end, "", 1000000)
  p = plan_of(spec_of('axes = "xy", side = "-x", along = "y", pivot = "corner"', 'local h = field "h" { on = grid, '
    .. 'type = "double", halo = 64, at = "low" }', "h"))
  debug.sethook()
  assert(p and steps < 20, steps)
end

local function test_thin()
  local function reports_of(cells, at)
    local p = planned(spec_of(('axes = "xy", side = "+y", pivot = "center", cells = { y = %d }'):format(cells),
      ('local h = field "h" { on = grid, type = "double", halo = 2, at = { y = "%s" } }'):format(at), "h"))
    return grids.diagnostics(function() prove.run(p) end)
  end
  for at, least in pairs { center = 3, low = 2, both = 3, high = 4 } do
    assert(#reports_of(least, at) == 0 and reports_of(least - 1, at)[1].code == "HG2004", at)
  end
end

case("as NEMO has it", test_nemo)
case("every pivot, side and placement", test_placements)
case("layers on some sides", test_few_layers)
case("no ghost points beyond the fold", test_other_sides)
case("no ghost points beyond the fold, but of another field", test_other_fields)
case("nobody reads what is rewritten", test_nobody_reads_what_is_rewritten)
case("three axes", test_three_axes)
case("shared points", test_shared)
case("walls", test_walls)
case("words", test_words)
case("mutants", test_mutants)
case("other folds", test_other_folds)
case("wide halos", test_wide)
case("thin grids", test_thin)
