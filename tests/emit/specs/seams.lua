-- Points that several blocks own, or that lie on others, on a fold, made to agree by every rule.
local grid = fold { axes = "xyz", side = "+y", pivot = "center" }
local q = field "q" { on = grid, type = "double", at = "both" }
local p = field "p" { on = grid, type = "float" }
local u, v = field "u" { on = grid, type = "int", at = { x = "both" } }, field "v" { on = grid, type = "int", at = { y = "both" } }
local s, t = field "s" { on = grid, type = "double", at = { x = "both", y = "both" } }, field "t" { on = grid, type = "double", at = { x = "both", y = "both" } }
local w, z = vector "w" { u, v }, vector "z" { s, t }
return spec "seams" {
  exchange "greater" { q, p, u, v, s, t, only = "shared" },
  exchange "owner" { q, p, u, v, s, t, only = "shared", agree = "owner" },
  exchange "mean" { q, p, s, t, only = "shared", agree = "mean" },
  exchange "sum" { q, p, u, v, s, t, only = "shared", agree = "sum" },
  exchange "back" { q, p, u, v, s, t, only = "shared", agree = "owner", op = "add" },
  exchange "least" { q, p, only = "shared", op = "min" },
  exchange "most" { q, p, only = "shared", agree = "owner", op = "max" },
  exchange "kept" { q, p, u, v, s, t, only = "shared", op = "add", ghosts = "keep" },
}
