-- Benchmark: 8 numbers side by side at each point, halo 3, faces, edges and corners.
local grid = cartesian { axes = "xyz", fastest = "z", periodic = "xyz" }

local f = field "f" { on = grid, type = "double", halo = 3, components = 8 }

return spec "bench_h3c8" { exchange "all" { f } }
