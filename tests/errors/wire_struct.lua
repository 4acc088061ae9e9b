local grid = cartesian { axes = "xyz" }
local cell = struct { name = "particle_cell", header = "particles.h", size = 24, align = 8 }
local u = field "u" { on = grid, type = cell, halo = 2 }
return spec "test" { exchange "e" { u, wire = "float" } }
