-- Benchmark: one field, halo 1, faces, edges and corners.
local grid = cartesian { axes = "xyz", fastest = "z", periodic = "xyz" }

local f0 = field "f0" { on = grid, type = "double", halo = 1 }

return spec "bench_h1f1" { exchange "all" { f0 } }
