-- A second spec, for the program in C++.
local grid = cartesian { axes = "x", periodic = "x" }
local s = field "s" { on = grid, type = "int", halo = 2 }

return spec "wind" {
  exchange "speed" { s },
}
