-- A channel that forks behind a bend: three tiles.
local grid = tiles {
  axes = "xy", blocks = "first-fastest", names = { "inlet", "bend", "fork" },
  connect = {
    { "inlet", "+x", "bend", "-y", along = { y = "-x" } },
    { "bend", "+y", "fork", "-y" },
  },
}

local p = field "p" { on = grid, type = "float", halo = 2 }

return spec "bend" { exchange "pressure" { p } }
