local grid = cartesian { axes = "xyz", periodic = "xyz" }
local n = field "n" { on = grid, type = "int", halo = 2 }
return spec "test" { exchange "counts" { n, op = "add", wire = "int16", sums = "rounded" } }
