local grid = tiles { axes = "xy", names = { "west", "east" }, connect = { { "west", "+x", "east", "-x" } } }
local u = field "u" { on = grid, type = "double", halo = 1 }
return spec "test" {
  exchange "f" { u, stencil = { { 1, 0 }, { 0, 1 } }, boundary = "zero" },
}
