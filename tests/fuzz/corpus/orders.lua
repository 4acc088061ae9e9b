-- Memory orders whose names would be alike if they were made of the axes' names.
local grid = cartesian { axes = { "a", "b", "a_b" }, periodic = { "a", "b", "a_b" } }
local u = field "u" { on = grid, type = "double", halo = 1, order = { "a", "b", "a_b" } }
local v = field "v" { on = grid, type = "double", halo = 1, order = { "a_b", "a", "b" } }
local w = field "w" { on = grid, type = "int", halo = { a = 2 } }
return spec "orders" {
  exchange "table" { u, v },
  exchange "narrow" { w, width = { a = 1 } },
}
