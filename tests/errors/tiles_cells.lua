local grid = tiles { axes = "xy", names = { "a", "b" }, cells = { x = 4, y = 5 }, connect = {
  { "a", "+x", "b", "-y", along = { y = "x" } },
} }
local u = field "u" { on = grid, type = "double", halo = 1 }
return spec "test" { exchange "e" { u } }
