-- Orientations, joins, and the index maps that follow from them.

local case = require "case"
local geometry = require "grids.geometry"

local function each_orientation(axes, visit)
  local P, taken = {}, {}
  local function along(s)
    if s > axes then return visit({ table.unpack(P) }) end
    for axis = 1, axes do
      if not taken[axis] then
        taken[axis] = true
        for _, sign in ipairs { -1, 1 } do
          P[s] = { axis = axis, sign = sign }
          along(s + 1)
        end
        taken[axis] = false
      end
    end
  end
  along(1)
end

local function same(x, y)
  for s in ipairs(x) do
    if x[s].axis ~= y[s].axis or x[s].sign ~= y[s].sign then return false end
  end
  return #x == #y
end

-- Orientations are a group, and apply is its action.
local function test_orientations()
  local counts = { 2, 8, 48 }
  for axes = 1, 3 do
    local identity, all = geometry.identity(axes), {}
    each_orientation(axes, function(P) all[#all + 1] = P end)
    assert(#all == counts[axes])
    local vector = { 3, 5, 7 }
    for _, P in ipairs(all) do
      assert(same(geometry.compose(geometry.invert(P), P), identity))
      assert(same(geometry.compose(P, geometry.invert(P)), identity))
      for _, Q in ipairs(all) do
        local once = geometry.apply(geometry.compose(Q, P), vector)
        local twice = geometry.apply(Q, geometry.apply(P, vector))
        for s = 1, axes do assert(once[s] == twice[s]) end
      end
    end
  end
end

local function test_directions()
  for axes = 1, 4 do
    local directions, previous = geometry.directions(axes), ""
    assert(#directions == 3 ^ axes - 1)
    for _, direction in ipairs(directions) do
      local key = ""
      for _, side in ipairs(direction) do key = key .. side + 1 end
      assert(key > previous and key ~= ("1"):rep(axes))
      previous = key
    end
  end
end

local function image(join, s, position, n, m)
  return join.P[s].sign * position + 2 * (join.t[s].destination_cells * n + join.t[s].source_cells * m)
end

-- A join and the one that leads back undo each other, at every position, for every orientation and direction.
local function test_joins_lead_back()
  for axes = 1, 3 do
    each_orientation(axes, function(P)
      for _, direction in ipairs(geometry.directions(axes)) do
        local join = geometry.join(1, direction, 2, P)
        local back = geometry.join(2, geometry.facing(P, direction), 1, geometry.invert(P))
        for s, p in ipairs(P) do
          -- One extent for both along a side that is joined as a whole, two across it.
          for n = 1, 3 do
            for m = direction[p.axis] == 0 and n or 1, direction[p.axis] == 0 and n or 3 do
              for position = -3, 2 * n + 3 do
                assert(image(back, p.axis, image(join, s, position, n, m), m, n) == position)
              end
            end
          end
        end
      end
    end)
  end
end

-- "above y of A is below x of B, a quarter turn": worked by hand in tests/canary/quarter-turn.md.
local function test_index_maps()
  local P = { { axis = 2, sign = 1 }, { axis = 1, sign = -1 } }
  local join = geometry.join(1, { 0, 1 }, 2, P)
  local function map_is(role, component, sign, ...)
    local link = assert(geometry.tile_link(join, role))
    assert(link.component == component and link.sign == sign)
    for s, expected in ipairs { ... } do
      local m = link.map[s]
      local given = { m.axis, m.sign, m.destination_cells, m.source_cells, m.offset }
      for i = 1, 5 do assert(given[i] == expected[i]) end
    end
  end
  map_is({ at = { "center", "center" } }, 0, 1, { 2, 1, -1, 0, 0 }, { 1, -1, 0, 1, -1 })
  map_is({ at = { "both", "both" } }, 0, 1, { 2, 1, -1, 0, 0 }, { 1, -1, 0, 1, 0 })
  local both = { { "both", "both" }, { "both", "both" } }
  map_is({ at = both[1], component = 1, kind = "vector", components = both }, 2, -1, { 2, 1, -1, 0, 0 }, { 1, -1, 0, 1, 0 })
  map_is({ at = both[1], component = 2, kind = "vector", components = both }, 1, 1, { 2, 1, -1, 0, 0 }, { 1, -1, 0, 1, 0 })
  -- A vector with each component at center along its own axis and both faces across it, and the other way round.
  local d = { { "center", "both" }, { "both", "center" } }
  map_is({ at = d[1], component = 1, kind = "vector", components = d }, 2, -1, { 2, 1, -1, 0, 0 }, { 1, -1, 0, 1, -1 })
  map_is({ at = d[2], component = 2, kind = "vector", components = d }, 1, 1, { 2, 1, -1, 0, 0 }, { 1, -1, 0, 1, 0 })
  -- Low faces become high ones: face i is face n - i, which is the high face of cell n - 1 - i.
  local faces = { { "low", "center" }, { "center", "high" } }
  map_is({ at = faces[1], component = 1, kind = "vector", components = faces }, 2, -1, { 2, 1, -1, 0, 0 }, { 1, -1, 0, 1, -1 })
end

-- Points that would fall onto a face that nobody owns, or that two own, are refused.
local function test_refused()
  local turn = { { axis = 2, sign = 1 }, { axis = 1, sign = -1 } }
  local join = geometry.join(1, { 0, 1 }, 2, turn)
  local function refused(role, reason, image_at, found)
    local link, fault = geometry.tile_link(join, role)
    assert(not link and fault.reason == reason and fault.image == image_at and fault.found == found)
  end
  refused({ at = { "low", "low" } }, "position", "high", "low")
  refused({ at = { "high", "center" } }, "position", "center", "high")
  refused({ at = { "both", "center" } }, "position", "center", "both")
  refused({ at = { "both", "both" }, component = 1, kind = "vector", components = { { "both", "both" } } }, "component")
end

case("orientations are a group", test_orientations)
case("directions are sorted", test_directions)
case("joins lead back", test_joins_lead_back)
case("index maps of a quarter turn", test_index_maps)
case("points without a counterpart are refused", test_refused)
