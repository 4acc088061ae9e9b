local grid = cartesian { axes = "xyz", periodic = "z" }
local u = field "u" { on = grid, type = "double", halo = { x = { lo = 1 }, z = 2 } }
local v = field "v" { on = grid, type = "double", halo = { z = 1 } }
return spec "test" {
  exchange "axis" { u, boundary = { x = "zero", y = "mirror" } },
  exchange "side" { u, boundary = { x = { lo = "zero", hi = "copy" } } },
  exchange "all" { v, boundary = "mirror" },
  exchange "some" { u, boundary = "mirror" },
}
