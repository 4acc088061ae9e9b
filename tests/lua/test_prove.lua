-- The prover: sound plans pass, quickly; every change of every number is refused, or changes nothing.

local case = require "case"
local cut = require "cut"
local dump = require "emit.dump"
local grids = require "grids"
local mutate = require "mutate"
local plan = require "plan.plan"
local prove = require "proof.prove"

local function build(model)
  local p
  local reports = grids.diagnostics(function() p = plan.build(model) end)
  assert(#reports == 0, reports[1] and reports[1].message)
  return mutate.fresh(p)
end

local function proof(p)
  return grids.diagnostics(function() prove.run(p) end)
end

-- ---- where everything goes, all axes together: what C would do with the tables ----------------------------------------

-- The widest layers along an axis.
local function widest(p, a)
  local width = 0
  for _, planned in ipairs(p.exchanges) do
    for _, item in ipairs(planned.items) do width = math.max(width, item.lo[a], item.hi[a]) end
  end
  return width
end

-- Calls visit(cells) for all extents of all tiles, 1 to 2 * width + 2; x of A and y of B of the canary meet.
local function each_extents(p, visit)
  local axes, cells = #p.model.grid.axes, {}
  local function along(tile, a)
    if a > axes then
      tile, a = tile + 1, 1
      if tile == p.tiles then return visit(cells) end
      cells[tile] = {}
    end
    for n = 1, 2 * widest(p, a) + 2 do
      cells[tile][a] = n
      if tile == 0 or a ~= 2 or n == cells[0][1] then along(tile, a + 1) end
    end
  end
  cells[0] = {}
  along(0, 1)
end

-- One line per ghost point.
local function mapping(p)
  local links = cut.parse(dump.links(p))
  local lines = {}
  each_extents(p, function(cells)
    local cuts = {}
    for tile, extents in pairs(cells) do
      cuts[tile] = {}
      for a, n in ipairs(extents) do cuts[tile][a] = { 0, n } end
    end
    cut.each(links, cuts, function(ghost, source, why)
      lines[#lines + 1] = source and table.concat({ source.tile, source.field, source.sign,
        table.concat(source.point, ","), table.concat(ghost.components or {}, ",") }, " ") or why
    end)
  end)
  return table.concat(lines, "\n")
end

-- ---- plans to change --------------------------------------------------------------------------------------------------

local function both_vector(axes)
  local fields, names = {}, {}
  for a = 1, axes do
    names[a] = ("uvw"):sub(a, a)
    fields[a] = { name = names[a], halo = { 1, 1, 0 }, at = { "both", "both", "center" } }
  end
  return fields, { { "all", "box", names } }, { { "wind", names } }
end

local function halo(width, at)
  return { { name = "u", halo = width, at = at } }
end

local function exchange(stencil)
  return { { "all", stencil, { "u" } } }
end

local PLANS = {
  { "1-D", grids.model(grids.grid { axes = 1, periodic = true }, halo(2), exchange "box") },
  { "1-D, one side", grids.model(grids.grid { axes = 1, periodic = true }, { { name = "u", lo = 0, hi = 3 } },
    exchange "box") },
  { "1-D, both faces", grids.model(grids.grid { axes = 1, periodic = true }, halo(2, "both"), exchange "star") },
  { "2-D", grids.model(grids.grid { axes = 2, periodic = true }, halo(1), exchange "box") },
  { "2-D, two exchanges, two kinds of positions", grids.model(grids.grid { axes = 2, periodic = { true, false } },
    { { name = "a", halo = { 2, 1 } }, { name = "b", halo = 1, at = { "low", "high" } } },
    { { "one", "box", { "a", "b" }, lo = 1, hi = 1 }, { "two", "star", { "a" } } }) },
  { "2-D, vector", grids.model(grids.grid { axes = 2, periodic = { true, false } }, both_vector(2)) },
  -- Seen from the tile, the ghost box of a block may lie in a part of a listed direction.
  { "2-D, list", grids.model(grids.grid { axes = 2, periodic = true }, halo(1), exchange { { -1, -1 }, { 0, 1 } }) },
  { "3-D", grids.model(grids.grid { axes = 3, periodic = true }, halo(1), exchange "box") },
  { "3-D, channel", grids.model(grids.grid { axes = 3, periodic = { true, false, true } }, halo(1, "low"),
    exchange "box") },
  { "2-D, walls", grids.model(grids.grid { axes = 2, periodic = { true, false } },
    { { name = "a", halo = 2 }, { name = "b", halo = 1, at = { "low", "high" } }, { name = "c", halo = 3, at = "both" } },
    { { "one", "box", { "a", "b", "c" }, boundary = { lo = { "none", "mirror" }, hi = { "none", "antimirror" } } },
      { "two", "star", { "a" }, boundary = { lo = { "none", "copy" }, hi = { "none", "hook" } } } }) },
  { "3-D, a list that adds", grids.model(grids.grid { axes = 3, periodic = { true, false, true } }, halo(2),
    { { "all", { { -1, 0, 0 }, { 0, 1, 0 }, { 1, 0, -1 } }, { "u" }, operation = "add" } }) },
  { "4-D, star", grids.model(grids.grid { axes = 4, periodic = true }, halo(1), exchange "star") },
  { "4-D, two walls", grids.model(grids.grid { axes = 4, periodic = { true, false, true, false } }, halo(1),
    exchange "box") },
  { "2-D, populations", grids.model(grids.grid { axes = 2, periodic = { true, false } },
    { { name = "f", lo = 1, hi = 2, directions = { { 0, 0 }, { 1, 0 }, { -1, 0 }, { 0, 1 }, { 1, 1 }, { -1, 1 } } },
      { name = "u", halo = { 0, 1 } } }, { { "all", "box", { "f", "u" } }, { "some", "star", { "f" }, lo = { 1, 0 } } }) },
  { "3-D, shared points", grids.model(grids.grid { axes = 3, periodic = { true, false, true } },
    { { name = "n", halo = 0, at = "both" }, { name = "f", halo = 1, at = { "both", "center", "center" } } },
    { { "one", "box", { "n", "f" }, shared = "greater" }, { "two", "box", { "n" }, shared = "mean" } }) },
  { "two tiles, scalars", grids.model(grids.two_tiles(),
    { { name = "p", halo = 2 }, { name = "q", type = "float", halo = 1 } }, { { "all", "box", { "p", "q" } } }) },
  { "two tiles, vector at both", grids.model(grids.two_tiles(), both_vector(2)) },
  { "two tiles, shared points of a vector", grids.model(grids.two_tiles(),
    { { name = "u", halo = 0, at = { "both", "center" } }, { name = "v", halo = 0, at = { "center", "both" } } },
    { { "all", "box", { "u", "v" }, shared = "owner" } }, { { "wind", { "u", "v" } } }) },
  { "two tiles in 3-D, vector", grids.model(grids.two_tiles(3), both_vector(3)) },
}

-- Mutants that say the same in other numbers: a component of a vector may be named as the field itself, or by its axis.
local EQUIVALENT = {
  ["2-D, vector"] = 4,
  ["two tiles in 3-D, vector"] = 2,
}

local function test_mutants()
  local mutants, equivalent = 0, 0
  for _, case in ipairs(PLANS) do
    local name, p = case[1], build(case[2])
    local reports = proof(p)
    assert(#reports == 0, reports[1] and name .. ": " .. reports[1].message)
    local original, survived = nil, 0
    mutate.each(p, function(what)
      mutants = mutants + 1
      if #proof(p) > 0 then return end
      original = original or mapping(build(case[2]))
      assert(mapping(p) == original, ("%s: survives: %s"):format(name, what))
      survived = survived + 1
      print(("equivalent: %s: %s"):format(name, what))
    end)
    assert(mutate.counts(survived, EQUIVALENT[name] or 0), ("%s: %d equivalent mutants"):format(name, survived))
    assert(#proof(p) == 0)
    equivalent = equivalent + survived
  end
  print(("%d mutants, %d equivalent, all others refused"):format(mutants, equivalent))
end

-- A front end that contradicts itself is refused, whatever number is wrong.
local function test_mutants_of_joins()
  local front_end = require "grids.two_tiles"
  local grid = grids.two_tiles()
  local joins = front_end.joins(grid)
  local was = front_end.joins
  front_end.joins = function() return joins end
  local p = build(grids.model(grid, halo(1), exchange "box"))
  assert(#proof(p) == 0)
  mutate.each_join(joins, 2, 2, function(what)
    local reports = proof(p)
    assert(#reports > 0 and reports[1].code == "HG2003", "survives: " .. what)
  end)
  front_end.joins = was
end

-- ---- what it says -------------------------------------------------------------------------------------------------------

local function only_report(p, code, words)
  local reports = proof(p)
  assert(#reports == 1 and reports[1].code == code, #reports .. (reports[1] and reports[1].code or ""))
  assert(reports[1].message:find(words, 1, true), reports[1].message)
  return reports[1]
end

local function test_words()
  local p = build(PLANS[1][2])
  p.positions[1].links[1].map[1].offset = 1
  local d = only_report(p, "HG2012", "with 1 cells along x of tile 1, point -1 along x comes from point 1 along x of tile 1, "
    .. "but its position there is the center of cell 0")
  assert(d.line == 31 and d.help)
  only_report(build(grids.model(grids.grid { kind = "two_tiles", axes = 2, tiles = { {}, {} }, cells = { 4, 5 } },
    halo(1), exchange "box")), "HG2003", "has 4 cells along x, but they meet 5 cells along y of tile 2")
  only_report(build(grids.model(grids.grid { kind = "two_tiles", axes = 2, tiles = { {}, {} }, cells = { 2, 2 } },
    { { name = "u", lo = 0, hi = { 0, 3 } } }, exchange "box")), "HG2004",
    "the width along y is 3, but the neighboring tile has only 2 cells there")
end

-- Changes of more than one number, which single mutants do not reach.
local function test_larger_changes()
  local star = grids.model(grids.grid { axes = 2, periodic = true }, halo(1), exchange "star")
  local p = build(star)
  local corner = mutate.fresh(build(grids.model(grids.grid { axes = 2, periodic = true }, halo(1), exchange "box")))
  table.insert(p.positions[1].links, corner.positions[1].links[1])
  only_report(p, "HG2015", "a link of tile 1 in direction (-1, -1) that no exchange claims")
  p = build(star)
  table.insert(p.exchanges[1].directions, { 1, 1 })
  only_report(p, "HG2013", "direction (1,1) is listed, but no width reaches into it")
  p = build(star)
  table.insert(p.exchanges[1].items, p.exchanges[1].items[1])
  only_report(p, "HG2014", 'carries field "u" twice')
  table.remove(p.exchanges[1].items)
  p.exchanges[1].items = { p.exchanges[1].items[1] }
  p.exchanges[1].exchange = grids.model(star.grid, { { name = "u", halo = 1 }, { name = "v", halo = 1 } },
    { { "all", "star", { "u", "v" } } }).exchanges[1]
  p.exchanges[1].items[1] = p.exchanges[1].exchange.items[1]
  only_report(p, "HG2014", 'does not carry field "v"')
  -- The extent of the other tile in place of one's own: right only where they are equal.
  p = build(grids.model(grids.two_tiles(), halo(1), exchange "box"))
  local m = p.positions[1].links[1].map[1]
  m.destination_cells, m.source_cells = m.source_cells, m.destination_cells
  only_report(p, "HG2012", "with 1 cells along y of tile 1 and 2 cells along x of tile 2")
end

-- Going by dimension: offered exactly where it is allowed, and refused where its way leads elsewhere.
local function test_by_dimension()
  local prove_phases = require "proof.prove_phases"
  local function links_of(p)
    local links = {}
    for _, positions in ipairs(p.positions) do
      links[positions] = {}
      for _, link in ipairs(positions.links) do links[positions][link.tile .. ":" .. table.concat(link.direction, ",")] = { link } end
    end
    return links
  end
  local function wrong(p)
    return prove_phases.check(p, p.exchanges[1], links_of(p)) or ""
  end
  local channel = grids.model(grids.grid { axes = 3, periodic = { true, false, true } }, halo(2, "both"), exchange "box")
  local p = build(channel)
  assert(p.exchanges[1].by_dimension and wrong(p) == "")
  for l, link in ipairs(p.positions[1].links) do
    for _, number in ipairs { "offset", "source_cells" } do
      for a = 1, 3 do
        link.map[a][number] = link.map[a][number] + 1
        -- A face alone has no other way; edges go through it, and there are edges of all faces but none across y.
        assert(wrong(p):find("axis after axis, from", 1, true), ("link %d, %s"):format(l, number))
        link.map[a][number] = link.map[a][number] - 1
      end
    end
  end
  local edge = table.remove(p.positions[1].links, 1)
  assert(wrong(p) == 'field "u", direction (-1,0,-1) has no link, and axis after axis there is a way')
  table.insert(p.positions[1].links, 1, edge)
  local face = table.remove(p.positions[1].links, 2)
  assert(wrong(p) == 'field "u", direction (-1,0,-1) has a link, but there is a wall across x on the way')
  table.insert(p.positions[1].links, 2, face)
  assert(wrong(p) == "")
  p.exchanges[1].by_dimension = false
  only_report(p, "HG2017", "could go by dimension, but is not to")
  local function refused(model, change, words)
    p = build(model)
    assert(not p.exchanges[1].by_dimension or change)
    if change then change(p) end
    p.exchanges[1].by_dimension = true
    assert(wrong(p):find(words, 1, true), wrong(p))
  end
  refused(grids.model(channel.grid, halo(1), exchange "star"), nil, "another stencil than a box")
  refused(grids.model(grids.two_tiles(), halo(1), exchange "box"), nil, "on a grid of connected tiles")
  refused(channel, function(q) q.positions[1].links[1].sign = -1 end, "which turns")
  refused(channel, function(q) q.positions[1].links[3].map[2].sign = -1 end, "which turns")
  channel.exchanges[1].operation = "add"
  refused(channel, nil, "it adds")
  channel.exchanges[1].operation = "copy"
  channel.fields[1].directions = { { 1, 0, 0 } }
  refused(channel, nil, "some components")
end

-- Images beyond walls, by numbers that are wrong, and for all positions by those that are right.
local function test_images()
  local prove_boundary = require "proof.prove_boundary"
  local geometry = require "grids.geometry"
  for _, at in ipairs { "center", "low", "high", "both" } do
    local p = build(grids.model(grids.grid { axes = 1 }, halo(3, at),
      { { "all", "box", { "u" }, boundary = { lo = { "mirror" }, hi = { "mirror" } } } }))
    assert(not prove_boundary.check(p, p.exchanges[1]) and #proof(p) == 0)
    for change = -3, 3 do
      p.positions[1].mirror[1] = geometry.mirror(at) + change
      assert(change == 0 or prove_boundary.check(p, p.exchanges[1]), at .. change)
      assert(change == 0 or prove_boundary.check_mirror(at, p.positions[1].mirror[1]))
    end
  end
  local p = build(grids.model(grids.grid { axes = 1, periodic = true }, halo(1),
    { { "all", "box", { "u" }, boundary = { lo = { "zero" }, hi = { "none" } } } }))
  assert(only_report(p, "HG2019", "fills a wall across x, which is periodic"))
end

-- What else can be wrong with a plan: each fault has its own code, and says that it is none of the spec.
local function test_faults()
  local function refused(code, words, fields, change)
    local p = build(grids.model(grids.grid { axes = 1, periodic = true }, fields or halo(1), exchange "box"))
    change(p)
    local found = false
    for _, d in ipairs(proof(p)) do
      found = found or d.code == code and d.message:find(words, 1, true)
      assert(d.help == "this is a fault of halogen or of a module that replaces its own, not of the spec", d.code)
    end
    assert(found, code)
  end
  refused("HG2010", "its positions have 1 points beyond the cells along x, the field has 0", nil,
    function(p) p.positions[1].extra[1] = 1 end)
  refused("HG2011", "tile 1 has 2 links in direction (-1); it should have 1", nil,
    function(p) table.insert(p.positions[1].links, mutate.fresh(p).positions[1].links[1]) end)
  refused("HG2016", "the plan has 2 tiles, the grid 1", nil, function(p) p.tiles = 2 end)
  refused("HG2018", "positions 1, along x: it mirrors index i to 0 - i", nil, function(p) p.positions[1].mirror[1] = 0 end)
  local faces = grids.model(grids.grid { axes = 1, periodic = true }, halo(0, "both"), { { "all", "box", { "u" }, shared = "owner" } })
  local changed = build(faces)
  changed.exchanges[1].shared = "mean"
  assert(proof(changed)[1].code == "HG2022" and proof(changed)[1].message:find("lets mean decide about shared points; the spec "
    .. "says owner", 1, true))
  refused("HG2020", "components picked are (1), but (2) travel", { { name = "u", halo = 1, directions = { { -1 }, { 1 } } } },
    function(p) p.exchanges[1].picks[1][1] = { 1 } end)
end

-- Two joins that meet, but turn differently.
local function test_joins_that_twist()
  local front_end = require "grids.two_tiles"
  local geometry = require "grids.geometry"
  local grid = grids.two_tiles()
  local joins = front_end.joins(grid)
  joins[2] = geometry.join(2, { -1, 0 }, 1, { { axis = 2, sign = 1 }, { axis = 1, sign = 1 } })
  local was = front_end.joins
  front_end.joins = function() return joins end
  only_report(build(grids.model(grid, halo(1), exchange "box")), "HG2003", "does not lead back")
  front_end.joins = was
end

-- The width may be larger than a Cartesian tile, of fixed extent or not.
local function test_wide()
  assert(#proof(build(grids.model(grids.grid { axes = 2, periodic = true, cells = { 1, 2 } }, halo(5), exchange "box"))) == 0)
end

-- Four axes, many fields, several positions and widths: within 0.1 s on any machine that runs this.
local function test_fast()
  local fields, names = {}, {}
  for i = 1, 500 do
    names[i] = "f" .. i
    fields[i] = { name = names[i], lo = { i % 4, 2, 1, i % 3 }, hi = { 2, i % 4, 1, 2 },
      at = { i % 2 == 0 and "center" or "both", "center", "center", i % 3 == 0 and "low" or "center" } }
  end
  local p = build(grids.model(grids.grid { axes = 4, periodic = true }, fields,
    { { "all", "box", names }, { "faces", "star", names } }))
  local started = os.clock()
  assert(#proof(p) == 0)
  assert(os.clock() - started < 0.1, "the proof is slow")
end

case("every number of every link", test_mutants)
case("every number of every join", test_mutants_of_joins)
case("what it says", test_words)
case("larger changes", test_larger_changes)
case("by dimension", test_by_dimension)
case("images beyond walls", test_images)
case("faults of a plan", test_faults)
case("joins that twist", test_joins_that_twist)
case("widths beyond a tile", test_wide)
case("many fields on four axes", test_fast)
