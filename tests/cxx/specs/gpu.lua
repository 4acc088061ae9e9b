-- A field of a device, and one of the host beside it.
local grid = cartesian { axes = "xy", fastest = "x", periodic = "xy" }
local u = field "u" { memory = "cuda", on = grid, type = "double", halo = 2 }
local p = field "p" { type = "float", on = grid, halo = 1 }

return spec "gpu" {
  exchange "all" { u, p },
  exchange "inner" { u, width = 1 },
}
