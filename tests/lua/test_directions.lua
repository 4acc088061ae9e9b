-- Which components travel where, against lists written by hand: D2Q9 and D3Q19 in the numbering of textbooks.

local case = require "case"
local directions = require "plan.directions"
local geometry = require "grids.geometry"
local plan = require "plan.plan"
local prose = require "emit.prose"
local specs = require "specs"

-- Counted from 0: rest, east, north, west, south, north-east, north-west, south-west, south-east.
local D2Q9 = { { 0, 0 }, { 1, 0 }, { 0, 1 }, { -1, 0 }, { 0, -1 }, { 1, 1 }, { -1, 1 }, { -1, -1 }, { 1, -1 } }

-- What streams into a block from the ghost box in a direction: from the west side come those that go east, and so on.
local INTO_2 = {
  ["-1,0"] = "1 5 8", ["1,0"] = "3 6 7", ["0,-1"] = "2 5 6", ["0,1"] = "4 7 8",
  ["-1,-1"] = "5", ["1,-1"] = "6", ["1,1"] = "7", ["-1,1"] = "8",
}

local D3Q19 = {
  { 0, 0, 0 },
  { 1, 0, 0 }, { -1, 0, 0 }, { 0, 1, 0 }, { 0, -1, 0 }, { 0, 0, 1 }, { 0, 0, -1 },
  { 1, 1, 0 }, { -1, -1, 0 }, { 1, -1, 0 }, { -1, 1, 0 }, { 1, 0, 1 }, { -1, 0, -1 }, { 1, 0, -1 }, { -1, 0, 1 },
  { 0, 1, 1 }, { 0, -1, -1 }, { 0, 1, -1 }, { 0, -1, 1 },
}

local INTO_3 = {
  ["-1,0,0"] = "1 7 9 11 13", ["1,0,0"] = "2 8 10 12 14", ["0,-1,0"] = "3 7 10 15 17", ["0,1,0"] = "4 8 9 16 18",
  ["0,0,-1"] = "5 11 14 15 18", ["0,0,1"] = "6 12 13 16 17",
  ["-1,-1,0"] = "7", ["1,1,0"] = "8", ["-1,1,0"] = "9", ["1,-1,0"] = "10",
  ["-1,0,-1"] = "11", ["1,0,1"] = "12", ["-1,0,1"] = "13", ["1,0,-1"] = "14",
  ["0,-1,-1"] = "15", ["0,1,1"] = "16", ["0,-1,1"] = "17", ["0,1,-1"] = "18",
}

local function text(picked)
  local words = {}
  for i, c in ipairs(picked) do words[i] = tostring(c - 1) end
  return table.concat(words, " ")
end

local function agrees(list, into, axes)
  for _, direction in ipairs(geometry.directions(axes)) do
    local key = table.concat(direction, ",")
    local found = text(directions.picks({ directions = list }, direction))
    assert(found == (into[key] or ""), key .. ": " .. found)
  end
end

case("D2Q9 and D3Q19", function()
  agrees(D2Q9, INTO_2, 2)
  agrees(D3Q19, INTO_3, 3)
end)

case("fields without directions travel whole", function()
  assert(directions.picks({}, { 1, 0 }) == nil and directions.count({}, { 1, 0 }) == 1)
  assert(directions.count({ components = { count = 4, place = 0 } }, { 1, 0 }) == 4)
end)

local function written(list)
  local rows = {}
  for c, direction in ipairs(list) do rows[c] = "{" .. table.concat(direction, ",") .. "}" end
  return "directions = {" .. table.concat(rows, ",") .. "}"
end

local function planned(entries)
  return plan.build(specs.model(specs.with(entries)))
end

case("a direction into which nothing travels is not claimed", function()
  local p = planned { grid = 'periodic = "xyz"', field = written(D3Q19) }
  assert(#p.exchanges[1].directions == 18 and #p.positions[1].links == 18)
  for d, direction in ipairs(p.exchanges[1].directions) do
    assert(text(p.exchanges[1].picks[1][d]) == INTO_3[table.concat(direction, ",")])
  end
  assert(#planned { grid = 'periodic = "xyz"', field = written(D3Q19), exchange = 'stencil = "star"' }.exchanges[1].directions == 6)
  assert(#planned { field = "directions = { {1,1,1}, {0,0,0} }" }.exchanges[1].directions == 7)
end)

case("one component per direction, side by side unless the spec says otherwise", function()
  local f = specs.model(specs.with { field = written(D3Q19) }).fields[1]
  assert(f.components.count == 19 and f.components.after == 0 and #f.directions == 19)
  f = specs.model(specs.with { field = written(D3Q19) .. ', components = { 19, "outermost" }' }).fields[1]
  assert(f.components.after == 3)
end)

case("directions are in the hash", function()
  local function hash(entries) return specs.model(specs.with { field = entries }).hash end
  assert(hash "directions = { {1,0,0}, {0,1,0} }" ~= hash "directions = { {0,1,0}, {1,0,0} }")
  assert(hash "directions = { {1,0,0}, {0,1,0} }" ~= hash "components = 2")
  assert(hash "directions = { {1,0,0} }, components = 1" == hash "directions = { {1,0,0} }")
end)

case("the header says how many travel", function()
  local p = planned { grid = 'periodic = "xyz"', field = written(D3Q19) }
  local lines = table.concat(prose.exchange(p, p.exchanges[1]), "\n")
  assert(lines:find("Of 19 components of u there travel 5 across a face, 1 across an edge.", 1, true), lines)
end)
