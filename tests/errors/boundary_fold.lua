local grid = fold { axes = "xyz", side = "+y", pivot = "corner" }
local u = field "u" { on = grid, type = "double", halo = 1 }
return spec "test" {
  exchange "f" { u, boundary = { x = "zero" } },
  exchange "g" { u, boundary = { y = { lo = "zero", hi = "mirror" } } },
}
