-- Intel's PRK Stencil in shape: a star of radius 2 on a square, with walls.
local square = cartesian { axes = "xy" }

local u = field "u" { on = square, type = "double", halo = 2 }

return spec "port_star" {
  exchange "halo" { u, stencil = "star" },
}
