-- Benchmark: one field of float, halo 1, faces, edges and corners.
local grid = cartesian { axes = "xyz", fastest = "z", periodic = "xyz" }

local f0 = field "f0" { on = grid, type = "float", halo = 1 }

return spec "bench_h1f1_float" { exchange "all" { f0 } }
