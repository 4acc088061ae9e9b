-- A duct: periodic along x, walls across y and z, some of them filled by a function of the application's.
local grid = cartesian { axes = "xyz", periodic = "x" }
local u = field "u" { on = grid, type = "double", halo = 2 }
local q = field "q" { on = grid, type = "float", components = 3, halo = { x = { lo = 1, hi = 2 }, y = 1 }, order = "zyx" }
local p = field "p" { on = grid, type = "int32_t", halo = 1, at = { z = "both" } }
return spec "duct" {
  exchange "state" { u, q },
  exchange "pressure" { p, stencil = "star", boundary = { y = "hook" } },
}
