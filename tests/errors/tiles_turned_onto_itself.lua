local grid = tiles { axes = "xyz", names = { "a" }, connect = {
  { "a", "+z", "a", "+z", along = { x = "y", y = "-x" } },
} }
local u = field "u" { on = grid, type = "double", halo = 1 }
return spec "test" { exchange "e" { u } }
