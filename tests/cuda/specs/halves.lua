-- Sums of halves, with those of others in one exchange.
local grid = cartesian { axes = "xyz", fastest = "x", periodic = "xy" }
local h = field "h" { on = grid, type = "half", halo = 2 }
local uneven = field "uneven" { on = grid, type = "half", halo = { x = { lo = 3, hi = 1 }, y = { hi = 2 }, z = 1 } }
local shorts = field "shorts" { on = grid, type = "int16_t", halo = 2 }

return spec "halves" {
  exchange "all" { h, uneven, shorts },
  exchange "back" { h, uneven, shorts, op = "add" },
  exchange "least" { h, uneven, shorts, op = "min" },
  exchange "most" { h, uneven, shorts, op = "max" },
  exchange "star" { uneven, op = "add", stencil = "star" },
}
