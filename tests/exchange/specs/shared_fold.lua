-- Points that several blocks own, on an ocean that is folded at its northern end; see shared_grid.h for what the names of fields mean.
local grid = tiles { axes = "xy", names = { "ocean" }, connect = { { "ocean", "+x", "ocean", "-x" },
  { "ocean", "+y", "ocean", "+y", along = { x = "-x" } } } }
local function on(type, at) return { on = grid, type = type, at = at } end
local q = field "q" (on("double", { x = "both", y = "both" }))
local c1, c2 = field "c1" (on("float", { x = "both" })), field "c2" (on("float", { y = "both" }))
local d1, d2 = field "d1" (on("double", { y = "both" })), field "d2" (on("double", { x = "both" }))
local c, d = vector "c" { c1, c2 }, vector "d" { d1, d2 }

return spec "shared_fold" {
  exchange "greater" { q, c1, c2, d1, d2, only = "shared" },
  exchange "owner" { q, c1, c2, d1, d2, only = "shared", agree = "owner" },
  exchange "mean" { q, c1, c2, d1, d2, only = "shared", agree = "mean" },
  exchange "sum" { q, c1, c2, d1, d2, only = "shared", agree = "sum" },
  exchange "back_greater" { q, c1, c2, d1, d2, only = "shared", op = "add" },
  exchange "back_owner" { q, c1, c2, d1, d2, only = "shared", agree = "owner", op = "add" },
  exchange "least_owner" { q, only = "shared", agree = "owner", op = "min" },
  exchange "most_greater" { q, only = "shared", op = "max" },
  exchange "keep_owner" { q, c1, c2, d1, d2, only = "shared", agree = "owner", op = "add", ghosts = "keep" },
}
