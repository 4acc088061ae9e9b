-- Points that several blocks own, in a box: of every kind of type, made to agree by every rule.
local grid = cartesian { axes = "xyz", periodic = "xz" }
local n = field "n" { on = grid, type = "double", at = "both", halo = 1 }
local k = field "k" { on = grid, type = "complex64", at = { z = "both" }, components = 3 }
local b = field "b" { on = grid, type = "bool", at = { x = "both", y = "both" } }
local m = field "m" { on = grid, type = "float", at = { x = "both" }, components = { 2, "outermost" }, halo = { x = 1 } }
local w = field "w" { on = grid, type = "short", at = { x = "both", z = "both" } }
return spec "agree" {
  exchange "greater" { n, k, b, m, only = "shared" },
  exchange "owner" { n, k, b, m, only = "shared", agree = "owner" },
  exchange "mean" { n, k, m, only = "shared", agree = "mean" },
  exchange "sum" { n, k, m, w, only = "shared", agree = "sum" },
  exchange "back" { n, k, m, only = "shared", op = "add" },
  exchange "halo" { n, m },
}
