local grid = tiles { axes = "xy", names = { "west", "east" }, connect = {
  { "west", "x", "east", "-x" },
  { "west", "-x", "east", "+z" },
  { "west", "-x", "east", "+x", along = { y = "-z" } },
  { "west", "-x", "east", 7 },
} }
local u = field "u" { on = grid, type = "double", halo = 1 }
return spec "test" { exchange "e" { u } }
