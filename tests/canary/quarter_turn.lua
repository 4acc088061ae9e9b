-- Two tiles joined by a quarter turn (quarter-turn.md): scalars at the centers of cells, of two types.
local grid = two_tiles { axes = "xy" }

local h = field "h" { on = grid, type = "double", halo = 2 }
local flag = field "flag" { on = grid, type = "int16_t", halo = 1 }

return spec "quarter_turn" {
  exchange "all" { flag, h },
  exchange "star" { h, stencil = "star" },
}
