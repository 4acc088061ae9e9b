-- Points that several blocks own, on eight tiles around a point; see shared_grid.h for what the names of fields mean.
local grid = tiles { axes = "xy", blocks = "first-fastest", names = { "a", "b", "c", "d", "e", "f", "g", "h" }, connect = {
  { "a", "-x", "b", "-y", along = { y = "x" } }, { "b", "-x", "c", "-y", along = { y = "x" } },
  { "c", "-x", "d", "-y", along = { y = "x" } }, { "d", "-x", "e", "-y", along = { y = "x" } },
  { "e", "-x", "f", "-y", along = { y = "x" } }, { "f", "-x", "g", "-y", along = { y = "x" } },
  { "g", "-x", "h", "-y", along = { y = "x" } }, { "h", "-x", "a", "-y", along = { y = "x" } } } }
local function on(type, at) return { on = grid, type = type, at = at } end
local q = field "q" (on("double", { x = "both", y = "both" }))
local c1, c2 = field "c1" (on("float", { x = "both" })), field "c2" (on("float", { y = "both" }))
local d1, d2 = field "d1" (on("double", { y = "both" })), field "d2" (on("double", { x = "both" }))
local c, d = vector "c" { c1, c2 }, vector "d" { d1, d2 }

return spec "shared_star" {
  exchange "greater" { q, c1, c2, d1, d2, only = "shared" },
  exchange "owner" { q, c1, c2, d1, d2, only = "shared", agree = "owner" },
  exchange "mean" { q, c1, c2, d1, d2, only = "shared", agree = "mean" },
  exchange "sum" { q, c1, c2, d1, d2, only = "shared", agree = "sum" },
  exchange "back_greater" { q, c1, c2, d1, d2, only = "shared", op = "add" },
  exchange "most_owner" { q, only = "shared", agree = "owner", op = "max" },
  exchange "back_owner" { q, c1, c2, d1, d2, only = "shared", agree = "owner", op = "add" },
}
