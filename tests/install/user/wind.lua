-- A second spec, for the program in C++.
local grid = cartesian { axes = "x", periodic = "x" }
local width = param "width" { default = 1, min = 1, max = 2, text = "layers that an exchange fills" }
local s = field "s" { on = grid, type = "int", halo = 2 }

return spec "wind" {
  exchange "speed" { s, width = width },
}
