-- Benchmark: 8 fields, halo 3, faces, edges and corners.
local grid = cartesian { axes = "xyz", fastest = "z", periodic = "xyz" }

local f0, f1, f2, f3, f4, f5, f6, f7 = fields { "f0", "f1", "f2", "f3", "f4", "f5", "f6", "f7", on = grid, type = "double", halo = 3 }

return spec "bench_h3f8" { exchange "all" { f0, f1, f2, f3, f4, f5, f6, f7 } }
