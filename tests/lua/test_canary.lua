-- The worked example of tests/canary/quarter-turn.md, typed in from there, against the links, cut in every way.

local cut = require "cut"
local dump = require "emit.dump"
local grids = require "grids"
local plan = require "plan.plan"

local function links_of(fields, names, vectors)
  local p
  local reports = grids.diagnostics(function()
    p = plan.build(grids.model(grids.two_tiles(), fields, { { "all", "box", names } }, vectors))
  end)
  assert(#reports == 0)
  return cut.parse(dump.links(p))
end

-- Ghost points that have a value: [tile][field]["i,j"].
local CENTERS = { [0] = { [0] = {
  ["0,3"] = 212, ["1,3"] = 211, ["2,3"] = 210,
  ["0,2"] = 202, ["1,2"] = 201, ["2,2"] = 200,
} }, { [0] = {
  ["-2,2"] = 100, ["-1,2"] = 101,
  ["-2,1"] = 110, ["-1,1"] = 111,
  ["-2,0"] = 120, ["-1,0"] = 121,
} } }

local BOTH = { [0] = { [0] = {
  ["0,4"] = -1223, ["1,4"] = -1222, ["2,4"] = -1221, ["3,4"] = -1220,
  ["0,3"] = -1213, ["1,3"] = -1212, ["2,3"] = -1211, ["3,3"] = -1210,
}, {
  ["0,4"] = 223, ["1,4"] = 222, ["2,4"] = 221, ["3,4"] = 220,
  ["0,3"] = 213, ["1,3"] = 212, ["2,3"] = 211, ["3,3"] = 210,
} }, { [0] = {
  ["-2,3"] = 1100, ["-1,3"] = 1101,
  ["-2,2"] = 1110, ["-1,2"] = 1111,
  ["-2,1"] = 1120, ["-1,1"] = 1121,
  ["-2,0"] = 1130, ["-1,0"] = 1131,
}, {
  ["-2,3"] = -100, ["-1,3"] = -101,
  ["-2,2"] = -110, ["-1,2"] = -111,
  ["-2,1"] = -120, ["-1,1"] = -121,
  ["-2,0"] = -130, ["-1,0"] = -131,
} } }

-- Corner of a block in its tile; blocks are numbered with the last axis fastest.
local function corner(cuts, tile, block)
  local parts = #cuts[tile][2] - 1
  return cuts[tile][1][block // parts + 1], cuts[tile][2][block % parts + 1]
end

local function value(tile, field, i, j)
  return 100 * (tile + 1) + 10 * i + j + 1000 * field
end

-- Every ghost point that lies outside its tile must have the value in the table, and the table must be used up.
local function check(links, expected, cuts)
  local met = 0
  local wanted = {}
  cut.each(links, cuts, function(ghost, source, why)
    local ci, cj = corner(cuts, ghost.tile, ghost.block)
    local i, j = ghost.point[1] + ci, ghost.point[2] + cj
    local extra = links.fields[ghost.field].positions.extra
    local along = cuts[ghost.tile]
    local owned = i >= 0 and i < along[1][#along[1]] + extra[1] and j >= 0 and j < along[2][#along[2]] + extra[2]
    local want = owned and value(ghost.tile, ghost.field, i, j) or expected[ghost.tile][ghost.field][i .. "," .. j]
    local got
    if source then
      local si, sj = corner(cuts, source.tile, source.block)
      got = source.sign * value(source.tile, source.field, source.point[1] + si, source.point[2] + sj)
      assert(source.point[1] >= 0 and source.point[2] >= 0)
    else
      assert(why == "untouched")
    end
    assert(got == want, ("tile %d, point %d %d: %s, should be %s"):format(ghost.tile, i, j, got, want))
    if not owned and want then wanted[ghost.tile .. " " .. ghost.field .. " " .. i .. "," .. j] = true end
  end)
  for _ in pairs(wanted) do met = met + 1 end
  return met
end

local function count(expected)
  local total = 0
  for tile = 0, 1 do
    for field = 0, #expected[tile] do
      for _ in pairs(expected[tile][field]) do total = total + 1 end
    end
  end
  return total
end

local function all_cuts(n)
  local list = {}
  for mask = 0, (1 << n - 1) - 1 do
    local cuts = { 0 }
    for face = 1, n - 1 do
      if mask >> face - 1 & 1 == 1 then cuts[#cuts + 1] = face end
    end
    cuts[#cuts + 1] = n
    list[#list + 1] = cuts
  end
  return list
end

local function check_all(links, expected)
  for _, ax in ipairs(all_cuts(3)) do
    for _, ay in ipairs(all_cuts(2)) do
      for _, bx in ipairs(all_cuts(2)) do
        for _, by in ipairs(all_cuts(3)) do
          assert(check(links, expected, { [0] = { ax, ay }, { bx, by } }) == count(expected))
        end
      end
    end
  end
end

check_all(links_of({ { name = "h", halo = 2 } }, { "h" }), CENTERS)
check_all(links_of({ { name = "u", halo = 2, at = "both" }, { name = "v", halo = 2, at = "both" } }, { "u", "v" },
  { { "wind", { "u", "v" } } }), BOTH)

-- What lies behind the neighboring tile is not followed.
local refused = 0
cut.each(links_of({ { name = "h", halo = 2 } }, { "h" }), { [0] = { { 0, 3 }, { 0, 2 } }, { { 0, 1 }, { 0, 3 } } },
  function(_, _, why) refused = refused + (why == "refused" and 1 or 0) end)
assert(refused == 3)
