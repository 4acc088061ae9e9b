-- Fields in the memory of a device, and one of the host that travels along.
local grid = cartesian { axes = "xy", fastest = "x", periodic = "x" }
local device = { on = grid, memory = "cuda", type = "double", halo = 2 }
local density, energy = field "density" (device), field "energy" (device)
local speed = field "speed" { on = grid, type = "double", halo = 1 }
return spec "gas" {
  exchange "state" { density, energy },
  exchange "both" { energy, speed, stencil = "star" },
}
