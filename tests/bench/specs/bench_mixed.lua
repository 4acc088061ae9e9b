-- Benchmark: 4 fields that have little in common, faces, edges and corners.
local grid = cartesian { axes = "xyz", fastest = "z", periodic = "xyz" }

local f0 = field "f0" { on = grid, type = "double", halo = 3 }
local f1 = field "f1" { on = grid, type = "float", halo = 1 }
local f2 = field "f2" { on = grid, type = "int32_t", halo = 2 }
local f3 = field "f3" { on = grid, type = "complex128", halo = 1 }

return spec "bench_mixed" { exchange "all" { f0, f1, f2, f3 } }
