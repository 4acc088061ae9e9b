-- The north of an ocean: x runs around it, and its northern side is folded between two poles, so that who sails on north
-- comes back south on the other side.  The fold goes through the middle of the last row, as NEMO's T pivot has it.
local grid = fold { axes = "xy", fastest = "x", side = "+y", along = "x", pivot = "center" }

-- Two tracers in each cell, and the water that crosses the faces to its east and to its north in a unit of time.
local c = field "c" { on = grid, type = "double", halo = 2, components = 2 }
local u = field "u" { on = grid, type = "double", halo = 1, at = { x = "high" } }
local v = field "v" { on = grid, type = "double", halo = 1, at = { y = "high" } }
vector "flow" { u, v } -- who comes back south sees west where east was

return spec "tripolar" {
  exchange "flow" { u, v, stencil = "star" },
  exchange "tracers" { c, stencil = "star" },
}
