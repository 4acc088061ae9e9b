-- The smallest exchange there is: one row of cells over two ranks, 16 points each way.
local row = cartesian { axes = "x" }

local u = field "u" { on = row, type = "double", halo = 16 }

return spec "bench_row" {
  exchange "halo" { u },
}
