-- Rows of literal length, one of them padded, and one that has levels between its components.
local grid = index_list { axes = { "node", "z" }, fastest = "z", cells = { z = 5 } }

local a = field "a" { on = grid, type = "double" }
local b = field "b" { on = grid, type = "float", padding = { z = 3 }, components = 2 }
local c = field "c" { on = grid, type = "int", components = { 3, after = "z" } }
local d = field "d" { on = grid, type = "double", order = { "node", "z" }, at = { z = "both" } }

return spec "strata" {
  exchange "all" { a, b, c, d },
  exchange "sums" { d, c, b, a, op = "add" },
  exchange "one" { b },
}
