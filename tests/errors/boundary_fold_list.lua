local grid = fold { axes = "xyz", side = "+y", pivot = "corner" }
local u = field "u" { on = grid, type = "double", halo = 1 }
return spec "test" {
  exchange "h" { u, boundary = "copy", stencil = { { 0, -1, 0 }, { 1, 0, 0 } } },
  exchange "i" { u, width = { x = 1, y = { hi = 1 } }, boundary = "copy" },
}
