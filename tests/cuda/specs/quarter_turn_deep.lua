-- Two tiles joined by a quarter turn, as those of tests/canary, with halos so deep that it is made in tiles of all sizes.
local grid = tiles { axes = "xy", names = { "a", "b" }, connect = { { "a", "+y", "b", "-x", along = { x = "-y" } } } }

local low = field "low" { on = grid, type = "double", halo = 8 }
local middle = field "middle" { on = grid, type = "float", halo = 17 }
local high = field "high" { on = grid, type = "double", halo = 33 }
local short = field "short_one" { on = grid, type = "int16_t", halo = 9 }
local pair = field "pair" { on = grid, type = "complex128", halo = 8 }

return spec "quarter_turn_deep" {
  exchange "all" { low, middle, high, short, pair },
}
