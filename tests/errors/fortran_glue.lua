-- options: --emit c,fortran
local grid = cartesian { axes = "xy" }
local like = { on = grid, type = "double", halo = 1 }
local u, f_v = field "u" (like), field "f_v" (like)
return spec "flow" {
  exchange "f" { u }, exchange "start" { u },
  exchange "f_points" { u }, exchange "f_point_2" { u }, exchange "v_at" { f_v },
}
