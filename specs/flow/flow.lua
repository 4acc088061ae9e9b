-- Gas in a plane: the Euler equations.  All of the state lies in the memory of a GPU and never leaves it.
local grid = cartesian { axes = "xy", fastest = "x", periodic = "xy" }

-- What flows through a face takes two cells on either side of it.
local state = { on = grid, memory = "cuda", type = "double", halo = 2 }

local density = field "density" (state)
local momentum_x = field "momentum_x" (state)
local momentum_y = field "momentum_y" (state)
local energy = field "energy" (state)

return spec "flow" {
  exchange "state" { density, momentum_x, momentum_y, energy, stencil = "star" },
}
