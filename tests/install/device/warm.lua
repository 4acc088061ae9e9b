-- A field in the memory of a GPU, and one of the host, which travels along.
local grid = cartesian { axes = "xy", fastest = "x", periodic = "xy" }
local t = field "t" { on = grid, type = "double", halo = 2, memory = "cuda" }
local mask = field "mask" { on = grid, type = "int", halo = 2 }

return spec "warm" {
  exchange "temperature" { t, mask, stencil = "box" },
}
