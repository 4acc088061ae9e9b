-- Walls: the signs of images, ghost points on a wall, and the kernels that walls need.

local case = require "case"
local boundary = require "plan.boundary"

-- A field of two axes, x the fastest; entries add to it or change it.
local function field(entries)
  local out = { at = { "center", "center" }, order = { 1, 2 } }
  for key, value in pairs(entries or {}) do out[key] = value end
  return out
end

local flow = { kind = "vector", "u", "v" }

case("a mirror turns what points across the wall, an antimirror all else", function()
  local across, along, scalar = field { vector = flow, component = 1 }, field { vector = flow, component = 2 }, field()
  assert(boundary.sign(across, 1, "mirror") == -1 and boundary.sign(across, 1, "antimirror") == 1)
  assert(boundary.sign(along, 1, "mirror") == 1 and boundary.sign(along, 1, "antimirror") == -1)
  assert(boundary.sign(along, 2, "mirror") == -1 and boundary.sign(across, 2, "antimirror") == -1)
  assert(boundary.sign(scalar, 1, "mirror") == 1 and boundary.sign(scalar, 1, "antimirror") == -1)
end)

case("a mirror turns what spins about an axis along the wall, and nothing that has no sense", function()
  for kind, sign in pairs { pseudovector = -1, unsigned = 1 } do
    local vector = { kind = kind, "u", "v" }
    local across, along = field { vector = vector, component = 1 }, field { vector = vector, component = 2 }
    assert(boundary.sign(across, 1, "mirror") == 1 and boundary.sign(along, 1, "mirror") == sign)
    assert(boundary.sign(across, 1, "antimirror") == -1 and boundary.sign(along, 1, "antimirror") == -sign)
  end
end)

case("points on faces lie on the wall behind them", function()
  assert(boundary.on_wall("high", "lo") and boundary.on_wall("low", "hi"))
  assert(not boundary.on_wall("low", "lo") and not boundary.on_wall("high", "hi") and not boundary.on_wall("both", "lo"))
  assert(not boundary.on_wall("center", "lo") and not boundary.on_wall("center", "hi"))
end)

-- "zero", "turned", both or nothing, for one fill below x or y.
local function needs(axis, fill, entries)
  local fills = { lo = { "none", "none" }, hi = { "none", "none" } }
  fills.lo[axis] = fill
  local zero, turned = boundary.needs(fills, { field = field(entries), lo = { 1, 1 }, hi = { 1, 1 } })
  return (zero and "zero" or "") .. (turned and "turned" or "")
end

case("kernels are those that fills and signs ask for", function()
  assert(needs(1, "none") == "" and needs(1, "hook") == "")
  assert(needs(1, "zero") == "zero" and needs(2, "zero") == "zero")
  assert(needs(1, "copy") == "turned" and needs(2, "copy") == "")
  assert(needs(1, "mirror") == "turned" and needs(2, "mirror") == "")
  assert(needs(2, "antimirror") == "turned")
  assert(needs(2, "mirror", { vector = flow, component = 2 }) == "turned")
  assert(needs(2, "antimirror", { vector = flow, component = 2 }) == "")
end)

case("on a wall the opposite of an image is zero", function()
  assert(needs(2, "antimirror", { at = { "center", "high" } }) == "zeroturned")
  assert(needs(2, "antimirror", { at = { "center", "low" } }) == "turned")
  assert(needs(2, "mirror", { at = { "center", "high" } }) == "")
end)

case("walls without layers need nothing", function()
  local fills = { lo = { "zero", "none" }, hi = { "none", "antimirror" } }
  local zero, turned = boundary.needs(fills, { field = field(), lo = { 0, 1 }, hi = { 1, 0 } })
  assert(not zero and not turned)
end)

case("each wall that is filled, and has layers, is visited once", function()
  local fills = { lo = { "zero", "none" }, hi = { "copy", "hook" } }
  local seen = {}
  boundary.each(fills, { lo = { 2, 1 }, hi = { 0, 1 } }, function(axis, side, fill)
    seen[#seen + 1] = axis .. side .. "=" .. fill
  end)
  assert(table.concat(seen, " ") == "1lo=zero 2hi=hook")
end)
