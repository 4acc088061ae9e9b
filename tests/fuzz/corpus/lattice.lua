-- Lattice Boltzmann, D3Q19: each population travels along its own direction, so that a face needs 5 of them and an edge 1.
local grid = cartesian { axes = "xyz", periodic = "xz" }

local velocities = {
  { 0, 0, 0 },
  { 1, 0, 0 }, { -1, 0, 0 }, { 0, 1, 0 }, { 0, -1, 0 }, { 0, 0, 1 }, { 0, 0, -1 },
  { 1, 1, 0 }, { -1, -1, 0 }, { 1, -1, 0 }, { -1, 1, 0 },
  { 1, 0, 1 }, { -1, 0, -1 }, { 1, 0, -1 }, { -1, 0, 1 },
  { 0, 1, 1 }, { 0, -1, -1 }, { 0, 1, -1 }, { 0, -1, 1 },
}

local f = field "f" { on = grid, type = "double", halo = 1, directions = velocities }
local solid = field "solid" { on = grid, type = "bool", halo = 1 }

return spec "lattice" {
  exchange "populations" { f },
  exchange "geometry" { solid },
}
