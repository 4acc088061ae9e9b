-- A cubed sphere with levels in columns: a tracer, and winds on the faces of cells.
local grid = cubed_sphere { axes = "xyz", fastest = "z", cells = { z = 5 } }

local function on(at) return { on = grid, type = "double", halo = { x = 3, y = 3 }, at = at } end
local q = field "q" (on())
local u, v = field "u" (on { y = "both" }), field "v" (on { x = "both" })
local wind = vector "wind" { u, v }

return spec "globe" {
  exchange "tracer" { q, width = { x = 1, y = 1 } },
  exchange "winds" { u, v, q },
  exchange "fluxes" { u, v, op = "add" },
}
