-- Points that several tiles of a cubed sphere own, made to agree by every rule.
local grid = cubed_sphere { axes = "xyz", blocks = "first-fastest" }
local q = field "q" { on = grid, type = "double", at = { x = "both", y = "both" } }
local c1, c2 = field "c1" { on = grid, type = "float", at = { x = "both" }, halo = { x = 1, y = 1 } }, field "c2" { on = grid, type = "float", at = { y = "both" }, halo = { x = 1, y = 1 } }
local d1, d2 = field "d1" { on = grid, type = "short", at = { y = "both" } }, field "d2" { on = grid, type = "short", at = { x = "both" } }
local c, d = vector "c" { c1, c2 }, vector "d" { d1, d2 }
return spec "orb" {
  exchange "greater" { q, c1, c2, d1, d2, only = "shared" },
  exchange "owner" { q, c1, c2, d1, d2, only = "shared", agree = "owner" },
  exchange "mean" { q, c1, c2, only = "shared", agree = "mean" },
  exchange "sum" { q, c1, c2, d1, d2, only = "shared", agree = "sum" },
  exchange "back" { q, c1, c2, d1, d2, only = "shared", op = "add" },
}
