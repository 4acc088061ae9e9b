-- What the plan holds: positions, links that are needed and no others, directions, layout order, what stays untouched.

local case = require "case"
local grids = require "grids"
local plan = require "plan.plan"

local function build(...)
  local p
  local model = grids.model(...)
  local reports = grids.diagnostics(function() p = plan.build(model) end)
  return p, reports
end

local function directions_text(list)
  local words = {}
  for i, d in ipairs(list) do words[i] = table.concat(d.direction or d, ",") end
  return table.concat(words, " ")
end

-- The numbers of the contract, for the example of the README: periodic along x and z, a wall across y.
local function test_channel()
  local p = build(grids.grid { axes = 3, periodic = { true, false, true } },
    { { name = "p", type = "float", halo = 1 }, { name = "u", halo = 2 }, { name = "v", halo = 2 } },
    { { "velocity", "box", { "p", "u", "v" } }, { "pressure", "star", { "p" } } })
  assert(p.tiles == 1 and #p.positions == 1 and p.positions_of[1] == 1 and p.positions_of[3] == 1)
  local links = p.positions[1].links
  assert(directions_text(links) == "-1,0,-1 -1,0,0 -1,0,1 0,0,-1 0,0,1 1,0,-1 1,0,0 1,0,1")
  local m = links[2].map
  assert(m[1].axis == 1 and m[1].sign == 1 and m[1].destination_cells == 0 and m[1].source_cells == 1 and m[1].offset == 0)
  assert(m[3].axis == 3 and m[3].source_cells == 0 and m[3].destination_cells == 0)
  assert(#p.exchanges[1].directions == 26)
  assert(directions_text(p.exchanges[2].directions) == "-1,0,0 0,-1,0 0,0,-1 0,0,1 0,1,0 1,0,0")
  local items = p.exchanges[1].items
  assert(items[1].field.name == "u" and items[2].field.name == "v" and items[3].field.name == "p")
  assert(#p.claims[1].walls == 1 and p.claims[1].walls[1].axis == "y" and p.claims[1].walls[1].side == "both" and #p.claims[1].sides == 0)
  assert(p.claims[2].corners and not p.claims[1].corners)
end

-- Directions without a width are neither listed nor linked.
local function test_widths()
  local p = build(grids.grid { axes = 2, periodic = true },
    { { name = "u", lo = { 1, 0 }, hi = { 0, 2 } }, { name = "w", halo = 0 } },
    { { "some", "box", { "u" } } })
  assert(directions_text(p.exchanges[1].directions) == "-1,0 -1,1 0,1")
  assert(directions_text(p.positions[1].links) == "-1,0 -1,1 0,1")
  local q = build(grids.grid { axes = 2, periodic = true }, { { name = "u", halo = 3 } },
    { { "narrow", "star", { "u" }, lo = { 2, 3 }, hi = { 3, 3 } } })
  local layers = q.claims[1].layers
  assert(#layers == 1 and layers[1].axis == "x" and layers[1].side == "lo" and layers[1].halo == 3 and layers[1].width == 2)
end

local function test_positions()
  local p, reports = build(grids.grid { axes = 2, periodic = true },
    { { name = "c", halo = 1 }, { name = "e", halo = 1, at = { "low", "center" } }, { name = "n", halo = 2, at = "both" },
      { name = "d", halo = 2 } },
    { { "all", "box", { "c", "e", "n", "d" } } })
  assert(#reports == 0 and #p.positions == 3)
  assert(p.positions_of[1] == 1 and p.positions_of[2] == 2 and p.positions_of[3] == 3 and p.positions_of[4] == 1)
  assert(table.concat(p.positions[3].extra) == "11" and table.concat(p.positions[2].extra) == "00")
end

local function test_two_tiles()
  local p, reports = build(grids.two_tiles(3), { { name = "s", halo = 1 } }, { { "all", "star", { "s" } } })
  assert(#reports == 0 and p.tiles == 2 and directions_text(p.positions[1].links) == "0,1,0 -1,0,0")
  assert(#p.claims[1].walls == 1 and p.claims[1].walls[1].axis == "z" and #p.claims[1].sides == 6)
end

-- What cannot be linked is said in words, for every field, with a way out.
local function test_faults()
  local function fault(code, words, help, ...)
    local _, reports = build(...)
    assert(#reports == 1 and reports[1].code == code, reports[1] and reports[1].code)
    assert(reports[1].message:find(words, 1, true), reports[1].message)
    assert((reports[1].help or ""):find(help, 1, true), reports[1].help)
    return reports[1]
  end
  local d = fault("HG2002", 'field "a": its position "low" along x becomes "high" along y of tile B, which joins tile A '
    .. 'above y; field "a", which feeds it, lies at "low" there', '"both" along x and y', grids.two_tiles(),
    { { name = "a", halo = 1, at = "low" }, { name = "b", halo = 1, at = "low" } }, { { "x", "box", { "a", "b" } } })
  assert(d.line == 11 and #d.notes == 1 and d.notes[1].line == 12)
  fault("HG2002", 'becomes "center" along x', 'both at "center", or both at "both"', grids.two_tiles(),
    { { name = "a", halo = 1, at = { "both", "center" } } }, { { "x", "box", { "a" } } })
  fault("HG2002", 'field "v", which feeds it, lies at "center"', 'both at "center"', grids.two_tiles(),
    { { name = "u", halo = 1, at = "both" }, { name = "v", halo = 1 } }, { { "x", "box", { "u" } } },
    { { "wind", { "u", "v" } } })
  fault("HG2001", "component along y", "give the vector a component along y", grids.two_tiles(),
    { { name = "u", halo = 1 } }, { { "x", "box", { "u" } } }, { { "wind", { "u" } } })
end

-- A list of directions leaves out others, unless no width reaches them.
local function test_lists()
  local x_only = { { -1, 0 }, { 1, 0 } }
  local p = build(grids.grid { axes = 2, periodic = { true, true } }, { { name = "u", halo = 1 } },
    { { "along", x_only, { "u" }, lo = { 1, 0 }, hi = { 1, 0 } }, { "some", x_only, { "u" } } })
  assert(not p.claims[1].others and p.claims[2].others)
end

case("the channel", test_channel)
case("lists of directions", test_lists)
case("directions without a width", test_widths)
case("positions", test_positions)
-- Links are sorted, however a front end lists its joins.
local function test_order()
  local front_end = require "grids.two_tiles"
  local was = front_end.joins
  front_end.joins = function(grid)
    local joins = was(grid)
    return { joins[2], joins[1] }
  end
  local p = build(grids.two_tiles(), { { name = "s", halo = 1 } }, { { "all", "star", { "s" } } })
  front_end.joins = was
  assert(p.positions[1].links[1].tile == 1 and p.positions[1].links[2].tile == 2)
end

case("two tiles", test_two_tiles)
case("links are sorted", test_order)
case("what cannot be linked", test_faults)
