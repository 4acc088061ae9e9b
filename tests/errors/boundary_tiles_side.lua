local grid = tiles { axes = "xy", names = { "strip" }, connect = { { "strip", "+y", "strip", "+y", along = { x = "-x" } } } }
local u = field "u" { on = grid, type = "double", halo = 1 }
return spec "test" {
  exchange "f" { u, boundary = { x = "zero", y = { hi = "mirror" } } },
}
