-- Messages go one way: each block needs what lies before it along z, and nobody what lies behind.
local grid = cartesian { axes = "xyz", fastest = "x" }
local u = field "u" { on = grid, type = "double", halo = { z = { lo = 1 } } }

return spec "upwind" {
  exchange "all" { u },
}
