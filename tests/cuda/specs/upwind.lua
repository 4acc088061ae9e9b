-- Messages of one exchange go one way: each block needs what lies before it along z, and nobody what lies behind.  Those of
-- the other go both ways, and may be written into arrays.
local grid = cartesian { axes = "xyz", fastest = "x" }
local u = field "u" { on = grid, type = "double", halo = { z = 1 } }

return spec "upwind" {
  exchange "all" { u, width = { z = { lo = 1, hi = 0 } } },
  exchange "both" { u },
}
