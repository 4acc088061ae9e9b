-- Benchmark: 4 numbers side by side at each point, halo 2, faces, edges and corners.
local grid = cartesian { axes = "xyz", fastest = "z", periodic = "xyz" }

local f = field "f" { on = grid, type = "double", halo = 2, components = 4 }

return spec "bench_h2c4" { exchange "all" { f } }
