-- Heat and salt on a plate whose rim is tight: what leaves one tile enters the next.
local grid = cartesian { axes = "xy", fastest = "x" }
local t, s = fields { "t", "s", on = grid, type = "double", halo = 1 }

return spec "plate" {
  exchange "state" { t, s, stencil = "star", boundary = "mirror" },
}
