-- Eight tiles in the plane, each in another of the eight orientations; see patch.h.
local slices = { 4, 2 }
local orders = { { 1, 2 }, { 2, 1 } }

-- Along axis a of space runs axis own[a] of the tile, in the sense of sign[a].
local function turn_of(tile)
  local turn = { own = orders[tile % 2 + 1], sign = {} }
  for a = 1, 2 do turn.sign[a] = tile // 2 >> a - 1 & 1 == 1 and -1 or 1 end
  return turn
end

local axes = { "x", "y" }

local function side(tile, a, sense)
  local turn = turn_of(tile)
  return (turn.sign[a] * sense > 0 and "+" or "-") .. axes[turn.own[a]]
end

local names, connect = {}, {}
local function join(tile, other, a)
  local here, there, b = turn_of(tile), turn_of(other), 3 - a
  connect[#connect + 1] = { "t" .. tile, side(tile, a, 1), "t" .. other, side(other, a, -1),
    along = { [axes[here.own[b]]] = (here.sign[b] * there.sign[b] > 0 and "" or "-") .. axes[there.own[b]] } }
end
for i = 0, slices[1] - 1 do
  for j = 0, slices[2] - 1 do
    local tile = i * slices[2] + j
    names[tile + 1] = "t" .. tile
    join(tile, (i + 1) % slices[1] * slices[2] + j, 1)
    if j + 1 < slices[2] then join(tile, tile + 1, 2) end
  end
end

local grid = tiles { axes = "xy", names = names, connect = connect, decomposed = "xy", blocks = "first-fastest" }
local function on(type, halo, at) return { on = grid, type = type, halo = halo, at = at } end
local p, short = field "p" (on("double", 2)), field "p_short" (on("int16_t", 1))
local q = field "q" (on("float", 1, "both"))
local a1, a2 = field "a1" (on("int", 2)), field "a2" (on("int", 2))
local c1, c2 = field "c1" (on("double", 1, { x = "both" })), field "c2" (on("double", 1, { y = "both" }))
local d1, d2 = field "d1" (on("float", 2, { y = "both" })), field "d2" (on("float", 2, { x = "both" }))
local s1, s2 = field "s1" (on("double", 1)), field "s2" (on("double", 1))
local h1, h2 = field "h1" (on("uint32_t", 1)), field "h2" (on("uint32_t", 1))
local s, h = vector "s" { s1, s2, kind = "pseudovector" }, vector "h" { h1, h2, kind = "unsigned" }
local a, c, d = vector "a" { a1, a2 }, vector "c" { c1, c2 }, vector "d" { d1, d2 }

return spec "patch_plane" {
  exchange "scalars" { p, short, q, h1, h2 },
  exchange "back_scalars" { p, short, q, h1, h2, op = "add" },
  exchange "winds" { a1, a2, c1, c2, d1, d2, s1, s2 },
  exchange "back_winds" { a1, a2, c1, c2, d1, d2, s1, s2, op = "add" },
  exchange "keep_scalars" { p, short, q, h1, h2, op = "add", ghosts = "keep" },
  exchange "least_scalars" { p, short, q, h1, h2, op = "min" },
  exchange "most_scalars" { p, short, q, h1, h2, op = "max" },
  exchange "star" { p, d1, d2, width = 1, stencil = "star" },
}
