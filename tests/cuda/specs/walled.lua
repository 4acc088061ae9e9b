-- Walls of all kinds, of fields of the host and of a device, of vectors on faces and of components.
local grid = cartesian { axes = "xyz", order = "yxz", periodic = "z" }
local u = field "u" { on = grid, type = "double", halo = 2, at = { x = "both" } }
local v = field "v" { on = grid, type = "double", halo = 2, at = { y = "low" } }
local flow = vector "flow" { u, v }
local c = field "c" { on = grid, type = "complex64", halo = { x = 1, y = 2, z = 1 }, at = { y = "high" } }
local b = field "b" { on = grid, type = "uint8_t", halo = 2 }
local r = field "r" { type = "int64_t", on = grid, halo = 1 }
local every = { x = { lo = "mirror", hi = "antimirror" }, y = { lo = "antimirror", hi = "copy" } }

return spec "walled" {
  exchange "every" { u, v, c, r, boundary = every },
  exchange "others" { b, c, r, u, v, width = 1, boundary = { x = { lo = "zero", hi = "copy" }, y = { hi = "mirror" } } },
  exchange "hooks" { u, v, b, r, boundary = { x = { lo = "hook", hi = "mirror" }, y = { lo = "zero", hi = "hook" } } },
  exchange "star" { u, v, b, c, stencil = "star", boundary = { x = "antimirror", y = { lo = "mirror", hi = "zero" } } },
}
