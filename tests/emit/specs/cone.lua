-- One tile around itself: where its western side meets its southern one, components of a vector on faces across
-- one axis each are the same points.
local grid = tiles { axes = "xy", names = { "a" }, connect = { { "a", "-x", "a", "-y", along = { y = "x" } } } }
local function on(at) return { on = grid, type = "double", halo = 1, at = at } end
local u, v = field "u" (on { x = "both" }), field "v" (on { y = "both" })
vector "wind" { u, v }

return spec "cone" {
  exchange "halos" { u, v, stencil = "star" },
  exchange "greater" { u, v, only = "shared" },
  exchange "owner" { u, v, only = "shared", agree = "owner" },
  exchange "mean" { u, v, only = "shared", agree = "mean" },
  exchange "sum" { u, v, only = "shared", agree = "sum" },
  exchange "back" { u, v, only = "shared", agree = "owner", op = "add" },
}
