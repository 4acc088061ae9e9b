-- Lattice Boltzmann: 19 populations per cell, each of which travels along its own velocity.  Of the populations beside
-- a block only those matter that move into it: 5 across a face, 1 across an edge, none through a corner.
local grid = cartesian { axes = "xyz", fastest = "x", periodic = "xyz" }

local velocities = include "lattice/d3q19.lua"
local f = field "f" { on = grid, type = "double", halo = 1, directions = velocities }

return spec "lbm" { exchange "populations" { f } }
