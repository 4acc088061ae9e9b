-- A folded ocean: every kind of placement, vectors, walls that are filled, sums, a star and listed directions.
local grid = fold { axes = "xyz", side = "+y", pivot = "center", blocks = "first-fastest" }
local function on(type, at, more)
  local out = { on = grid, type = type, halo = 1, at = at }
  for key, value in pairs(more or {}) do out[key] = value end
  return out
end
local t = field "t" (on("double", nil, { components = 2 }))
local q = field "q" (on("float", "both"))
local u, v, w = field "u" (on("double", { x = "high" })), field "v" (on("double", { y = "high" })), field "w" (on("double", { z = "low" }))
local b1, b2 = field "b1" (on("int", { x = "both", y = "both" })), field "b2" (on("int", { x = "both", y = "both" }))
local ice = field "ice" { on = grid, type = "complex64", halo = { x = 2, y = 2 } }
local wind, drift = vector "wind" { u, v, w }, vector "drift" { b1, b2, kind = "unsigned" }

return spec "tripole" {
  exchange "all" { t, q, u, v, w, b1, b2, ice, boundary = "mirror" },
  exchange "walls" { t, u, v, w, boundary = { y = "hook", z = { lo = "copy", hi = "zero" } } },
  exchange "faces" { q, ice, stencil = "star", boundary = { y = "antimirror" } },
  exchange "around" { t, u, v, w, stencil = { { 1, 0, 0 }, { -1, 0, 0 } } },
  exchange "back" { t, u, v, w, q, ice, op = "add" },
  exchange "least" { t, q, b1, b2, op = "min" },
  exchange "kept" { t, u, v, w, q, op = "add", ghosts = "keep" },
}
