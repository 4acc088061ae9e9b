local grid = tiles { axes = "xyz", names = { "a", "b" }, connect = {
  { "a", "+y", "b", "-x" },
  { "a", "+x", "b", "-x", along = { x = "y" } },
  { "a", "-x", "b", "+x", along = { y = "z" } },
  { "a", "-z", "b", "-z", along = { x = "z" } },
  { "a", "-y", "b", "-y", along = "x" },
  { "a", "-y", "b", "-y", along = { t = "x" } },
} }
local u = field "u" { on = grid, type = "double", halo = 1 }
return spec "test" { exchange "e" { u } }
