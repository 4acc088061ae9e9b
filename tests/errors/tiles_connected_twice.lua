local grid = tiles { axes = "xy", names = { "a", "b", "c" }, connect = {
  { "a", "+x", "b", "-x" },
  { "c", "-x", "a", "+x" },
} }
local u = field "u" { on = grid, type = "double", halo = 1 }
return spec "test" { exchange "e" { u } }
