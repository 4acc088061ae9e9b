-- Benchmark: one field, halo 3, faces, edges and corners.
local grid = cartesian { axes = "xyz", fastest = "z", periodic = "xyz" }

local f0 = field "f0" { on = grid, type = "double", halo = 3 }

return spec "bench_h3f1" { exchange "all" { f0 } }
