-- A field in the memory of a device beside one of the host, and walls that the program fills.
local grid = cartesian { axes = "xy", fastest = "x", periodic = "x" }
local t = field "t" { memory = "cuda", on = grid, type = "double", halo = 2 }
local s = field "s" { type = "float", on = grid, halo = 1 }

return spec "vent" {
  exchange "heat" { t, s, boundary = { y = "hook" } },
  exchange "inner" { t, stencil = "star" },
}
