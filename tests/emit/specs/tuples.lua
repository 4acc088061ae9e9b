-- One axis: points of several numbers.
local grid = cartesian { axes = "x", periodic = "x" }
local pairs_of = field "pairs_of" { on = grid, type = "int", halo = 2, components = 2 }
local apart = field "apart" { on = grid, type = "int", components = { 3, after = "x" }, halo = { x = { hi = 1 } } }
return spec "tuples" {
  exchange "all" { pairs_of, apart },
}
