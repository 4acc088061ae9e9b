-- A vector on the points of a mesh, as iterative solvers have it: its halo lies at the end of the array.
local mesh = index_list { axes = { "point" } }

local x = field "x" { on = mesh, type = "double" }

return spec "bench_list" {
  exchange "halo" { x },
}
