local grid = cartesian { axes = "xy" }
local cell = struct { name = "cell", header = "q/../test.h", size = 8, align = 8 }
local other = struct { name = "voxel", header = "../q/test.h", size = 8, align = 8 }
local p, q = field "p" { on = grid, type = cell, halo = 1 }, field "q" { on = grid, type = other, halo = 1 }
return spec "test" { exchange "e" { p, q } }
