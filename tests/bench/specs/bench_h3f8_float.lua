-- Benchmark: 8 fields of float, halo 3, faces, edges and corners.
local grid = cartesian { axes = "xyz", fastest = "z", periodic = "xyz" }

local f0, f1, f2, f3, f4, f5, f6, f7 = fields { "f0", "f1", "f2", "f3", "f4", "f5", "f6", "f7", on = grid, type = "float", halo = 3 }

return spec "bench_h3f8_float" { exchange "all" { f0, f1, f2, f3, f4, f5, f6, f7 } }
