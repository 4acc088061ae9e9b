-- Eight tiles in space, each in another of the 48 orientations; see patch.h.
local orders = { { 1, 2, 3 }, { 2, 1, 3 }, { 1, 3, 2 }, { 2, 3, 1 }, { 3, 1, 2 }, { 3, 2, 1 } }

-- Along axis a of space runs axis own[a] of the tile, in the sense of sign[a].
local function turn_of(tile)
  local number = (7 * tile + 3) % 48
  local turn = { own = orders[number % 6 + 1], sign = {} }
  for a = 1, 3 do turn.sign[a] = number // 6 >> a - 1 & 1 == 1 and -1 or 1 end
  return turn
end

local axes = { "x", "y", "z" }

local function side(tile, a, sense)
  local turn = turn_of(tile)
  return (turn.sign[a] * sense > 0 and "+" or "-") .. axes[turn.own[a]]
end

local names, connect = {}, {}
local function join(tile, other, a)
  local here, there, along = turn_of(tile), turn_of(other), {}
  for b = 1, 3 do
    if b ~= a then along[axes[here.own[b]]] = (here.sign[b] * there.sign[b] > 0 and "" or "-") .. axes[there.own[b]] end
  end
  connect[#connect + 1] = { "t" .. tile, side(tile, a, 1), "t" .. other, side(other, a, -1), along = along }
end
for tile = 0, 7 do
  names[tile + 1] = "t" .. tile
  join(tile, tile ~ 4, 1) -- space closes on itself along its first axis: each meets the other twice
  if tile & 2 == 0 then join(tile, tile + 2, 2) end
  if tile & 1 == 0 then join(tile, tile + 1, 3) end
end

local grid = tiles { axes = "xyz", names = names, connect = connect }
local function on(type, halo, at) return { on = grid, type = type, halo = halo, at = at } end
local p = field "p" (on("double", 2))
local q = field "q" (on("float", 1, "both"))
local c1, c2, c3 = field "c1" (on("int", 1, { x = "both" })), field "c2" (on("int", 1, { y = "both" })),
  field "c3" (on("int", 1, { z = "both" }))
local s1, s2, s3 = field "s1" (on("float", 1)), field "s2" (on("float", 1)), field "s3" (on("float", 1))
local c, s = vector "c" { c1, c2, c3 }, vector "s" { s1, s2, s3, kind = "pseudovector" }

return spec "patch_cube" {
  exchange "all" { p, q, c1, c2, c3, s1, s2, s3 },
  exchange "back_all" { p, q, c1, c2, c3, s1, s2, s3, op = "add" },
  exchange "star" { p, width = 1, stencil = "star" },
}
