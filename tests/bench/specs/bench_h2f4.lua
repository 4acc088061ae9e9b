-- Benchmark: 4 fields, halo 2, faces, edges and corners.
local grid = cartesian { axes = "xyz", fastest = "z", periodic = "xyz" }

local f0, f1, f2, f3 = fields { "f0", "f1", "f2", "f3", on = grid, type = "double", halo = 2 }

return spec "bench_h2f4" { exchange "all" { f0, f1, f2, f3 } }
