-- Benchmark: one field, one of its 3 layers, faces, edges and corners.
local grid = cartesian { axes = "xyz", fastest = "z", periodic = "xyz" }

local f0 = field "f0" { on = grid, type = "double", halo = 3 }

return spec "bench_h3f1_width1" { exchange "all" { f0, width = 1 } }
