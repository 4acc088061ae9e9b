-- Two tiles joined by a quarter turn (quarter-turn.md): a vector whose components are stored on both faces along both axes.
local grid = two_tiles { axes = "xy" }

local u, v = fields { "u", "v", on = grid, type = "double", halo = 2, at = "both" }
local wind = vector "wind" { u, v }

return spec "both_vector" {
  exchange "wind" { u, v },
}
