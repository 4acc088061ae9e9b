local grid = cubed_sphere { axes = "xy" }
local u = field "u" { on = grid, type = "double", halo = 1 }
return spec "test" {
  exchange "f" { u, boundary = "zero" },
  exchange "g" { u, boundary = { x = "zero" } },
}
