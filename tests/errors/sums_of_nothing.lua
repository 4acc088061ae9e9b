local grid = cartesian { axes = "xyz", periodic = "xyz" }
local u = field "u" { on = grid, type = "double", halo = 2 }
return spec "test" {
  exchange "copied" { u, wire = "float", sums = "rounded" },
  exchange "exact" { u, op = "add", sums = "rounded" },
}
