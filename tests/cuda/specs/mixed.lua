-- Fields of the host and of a device that travel together, and exchanges of either alone; emit.sh leaves it as it is.
local grid = cartesian { axes = "xyz", fastest = "x", periodic = "xz" }
local u, v = fields { "u", "v", memory = "cuda", on = grid, type = "double", halo = 2 }
local p = field "p" { type = "float", on = grid, halo = { x = 1, y = 2, z = 1 } }
local q = field "q" { memory = "cuda", on = grid, type = "uint8_t", halo = 1 }
local r = field "r" { type = "int64_t", on = grid, halo = 1 }

return spec "mixed" {
  exchange "all" { u, v, p, q, r, width = 1 },
  exchange "both" { q, p },
  exchange "host" { p, r },
  exchange "star" { u, v, stencil = "star" },
  exchange "sums" { r, u, p, op = "add" },
}
