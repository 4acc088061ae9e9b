-- Points that several blocks own, on one tile whose western side meets its southern one: two components of a vector, on
-- faces across one axis each, are the same points.  Along z blocks share edges of such sides, too: there a block has one
-- neighbor twice, as either component.  See shared_grid.h for what the names of fields mean.
local grid = tiles { axes = "xyz", names = { "a" }, connect = { { "a", "-x", "a", "-y", along = { y = "x" } } } }
local function on(type, at) return { on = grid, type = type, at = at } end
local q = field "q" (on("double", { x = "both", y = "both" }))
local c1, c2 = field "c1" (on("float", { x = "both" })), field "c2" (on("float", { y = "both" }))
local d1, d2 = field "d1" (on("double", { y = "both" })), field "d2" (on("double", { x = "both" }))
local e1 = field "e1" (on("double", { x = "both", z = "both" }))
local e2 = field "e2" (on("double", { y = "both", z = "both" }))
local c, d, e = vector "c" { c1, c2 }, vector "d" { d1, d2 }, vector "e" { e1, e2 }

return spec "shared_cone" {
  exchange "greater" { q, c1, c2, d1, d2, e1, e2, only = "shared" },
  exchange "owner" { q, c1, c2, d1, d2, e1, e2, only = "shared", agree = "owner" },
  exchange "mean" { q, c1, c2, d1, d2, e1, e2, only = "shared", agree = "mean" },
  exchange "sum" { q, c1, c2, d1, d2, e1, e2, only = "shared", agree = "sum" },
  exchange "back_greater" { q, c1, c2, d1, d2, e1, e2, only = "shared", op = "add" },
  exchange "most_owner" { q, only = "shared", agree = "owner", op = "max" },
  exchange "back_owner" { q, c1, c2, d1, d2, e1, e2, only = "shared", agree = "owner", op = "add" },
}
