-- A field in the memory of a device beside one of the host, and walls that the program fills.
local grid = cartesian { axes = "xy", fastest = "x", periodic = "x" }
local t = field "t" { on = grid, type = "double", halo = 2, memory = "cuda" }
local s = field "s" { on = grid, type = "float", halo = 1 }

return spec "vent" {
  exchange "heat" { t, s, boundary = { y = "hook" } },
  exchange "inner" { t, stencil = "star" },
}
