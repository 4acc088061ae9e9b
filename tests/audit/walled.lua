-- What the bugs of walls.c are seeded into.
local grid = cartesian { axes = "xy", fastest = "x", periodic = "x" }

local t = field "t" { on = grid, type = "double", halo = 2 }
local v = field "v" { on = grid, type = "int32_t", halo = 1, components = 2, at = { y = "low" } }

return spec "walled" {
  exchange "images" { t, boundary = { y = { lo = "copy", hi = "mirror" } } },
  exchange "opposites" { t, v, boundary = { y = { lo = "antimirror", hi = "zero" } } },
  exchange "hooked" { t, boundary = "hook" },
}
