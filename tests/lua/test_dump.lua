-- The dumps, whole, for a grid small enough to read.

local cut = require "cut"
local dump = require "emit.dump"
local grids = require "grids"
local plan = require "plan.plan"
local specs = require "specs"

local function build(model)
  local p
  assert(#grids.diagnostics(function() p = plan.build(model) end) == 0)
  return p
end

local function two_fields()
  return build(grids.model(grids.grid { axes = 2, periodic = { true, false }, cells = { false, 8 } },
    { { name = "p", type = "float", lo = { 1, 0 }, hi = { 1, 2 } }, { name = "u", halo = 1, at = { "both", "center" } } },
    { { "all", "box", { "p", "u" }, lo = { 1, 0 }, hi = { 1, 0 } } }))
end

local LINKS = [[
links test
axes x y
cells 0 8
tiles 1
positions 0 extra 0 0
link tile 0 direction -1 0 source 0 component -1 sign 1 map 0 1 0 1 0 1 1 0 0 0
link tile 0 direction 1 0 source 0 component -1 sign 1 map 0 1 -1 0 0 1 1 0 0 0
positions 1 extra 1 0
link tile 0 direction -1 0 source 0 component -1 sign 1 map 0 1 0 1 0 1 1 0 0 0
link tile 0 direction 1 0 source 0 component -1 sign 1 map 0 1 -1 0 0 1 1 0 0 0
field 0 p positions 0
field 1 u positions 1
exchange 0 all
direction -1 0
direction 1 0
carries 1 lo 1 0 hi 1 0
carries 0 lo 1 0 hi 1 0
]]

local MODEL = [[
spec test, hash 0
grid cartesian  (line 1)
  axes        x y
  periodic    yes no
  decomposed  yes yes
  cells       any 8
  memory      x y, fastest first
field p  (line 11)
  type        float, 4 bytes
  halo        lo 1 0 hi 1 2
  at          center center
  memory      x y
field u  (line 12)
  type        double, 8 bytes
  halo        1 1
  at          both center
  memory      x y
exchange all  (line 31)
  stencil     box
  field       p, width 1 0
  field       u, width 1 0
]]

local PLAN = [[
plan of test: 1 tile
positions 1: p
  points beyond the cells  0 0
  tile 1, below x  <-  tile 1 (x + m_x, y)
  tile 1, above x  <-  tile 1 (x - n_x, y)
positions 2: u
  points beyond the cells  1 0
  tile 1, below x  <-  tile 1 (x + m_x, y)
  tile 1, above x  <-  tile 1 (x - n_x, y)
exchange all: box, 2 directions, may go by dimension
  field u, double, positions 2, width 1 0
  field p, float, positions 1, width 1 0
  untouched: p, high side of y, layers 1 to 2
  untouched: u, low side of y, layers 1 to 1
  untouched: u, high side of y, layers 1 to 1
]]

local ALL = [[
spec all, hash 0
grid cartesian
  axes        x y z
  periodic    no no no
  decomposed  yes yes no
  cells       any any any
  memory      z x y, fastest first
field u
  type        double, 8 bytes
  halo        1 1 1
  at          center center center
  memory      z x y
  vector      wind, component along x
field v
  type        double, 8 bytes
  halo        1 1 1
  at          center center center
  memory      z x y
  vector      wind, component along y
field s
  type        float, 4 bytes
  halo        1 1 1
  at          center center center
  memory      z x y
  components  3, outermost
  padding     0 4 0
field t
  type        bool, 1 bytes
  halo        1 1 1
  at          center center center
  memory      z x y
  components  2, after x
field d
  type        float, 4 bytes
  halo        1 1 1
  at          center center center
  memory      z x y
  components  2, innermost
  directions  (0,0,0) (-1,0,0)
exchange wind
  stencil     box
  boundary    lo mirror none none hi mirror none zero
  field       u, width 1 1 1
  field       v, width 1 1 1
exchange rest
  stencil     (0,-1,0) (1,0,0)
  field       s, width 1 1 1
  field       t, width 1 1 1
exchange sum
  stencil     box
  operation   add
  field       s, width 1 1 1
  field       d, width 1 1 1
]]

local function equal(text, expected)
  assert(text == expected, "got:\n" .. text)
end

equal(dump.links(two_fields()), LINKS)
equal(dump.model(two_fields()), MODEL)
equal(dump.plan(two_fields()), PLAN)

-- Everything else that a model can say.
local all = specs.model [[
local grid = cartesian { axes = "xyz", decomposed = "xy", order = "zxy" }
local like = { on = grid, type = "double", halo = 1 }
local u, v = field "u" (like), field "v" (like)
vector "wind" { u, v }
local s = field "s" { on = grid, type = "float", halo = 1, components = { 3, "outermost" }, padding = { y = 4 } }
local t = field "t" { on = grid, type = "bool", halo = 1, components = { 2, after = "x" } }
local d = field "d" { on = grid, type = "float", halo = 1, directions = { { 0, 0, 0 }, { -1, 0, 0 } } }
return spec "all" {
  exchange "wind" { u, v, boundary = { x = "mirror", z = { hi = "zero" } } },
  exchange "rest" { s, t, stencil = { { 1, 0, 0 }, { 0, -1, 0 } }, op = "copy" },
  exchange "sum" { s, d, op = "add" },
}
]]
equal((dump.model { model = all }:gsub("hash %x+", "hash 0"):gsub(" +%(line %d+%)", "")), ALL)
assert(dump.links(plan.build(all)):find("field 0 u positions 0 vector 0 1 -1\n", 1, true))
assert(dump.links(plan.build(all)):find("field 2 s positions 2 components 3 place 3\n", 1, true), dump.links(plan.build(all)))

-- What a test reads back is what was written.
local links = cut.parse(LINKS)
assert(links.axes == 2 and links.tiles == 1 and #links.exchanges == 1)
local link = links.fields[1].positions.links[2]
assert(links.fields[1].positions.extra[1] == 1 and link.direction[1] == 1 and link.map[1][3] == -1 and link.component == -1)
assert(#links.exchanges[1].directions == 2 and links.exchanges[1].carries[1].field == 1)
