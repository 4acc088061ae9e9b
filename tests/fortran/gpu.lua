-- Fields of a device and of the host, which travel together, and an exchange of the device alone.
local grid = cartesian { axes = "xyz", periodic = "xz" }
local u = field "u" { memory = "cuda", on = grid, type = "double", halo = 2 }
local q = field "q" { memory = "cuda", on = grid, type = "float", halo = 1 }
local p = field "p" { on = grid, type = "float", halo = 1 }

return spec "gpu" {
  exchange "all" { u, p, q },
  exchange "faces" { u, stencil = "star" },
  exchange "rim" { u, boundary = { y = "hook" } },
}
