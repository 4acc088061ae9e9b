local grid = tiles { axes = "xy", names = { "west", "east" }, connect = {
  { "west", "+x", "eats", "-x" },
  { 1, "+x", "east", "-x" },
} }
local u = field "u" { on = grid, type = "double", halo = 1 }
return spec "test" { exchange "e" { u } }
