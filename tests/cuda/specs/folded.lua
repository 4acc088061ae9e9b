-- A fold whose other side an application fills, on a device alone.
local grid = fold { axes = "xy", fastest = "x", side = "+y", pivot = "center" }
local t = field "t" { on = grid, type = "double", halo = 1 }
local u = field "u" { on = grid, type = "float", halo = 2, at = { x = "high" } }
local v = field "v" { on = grid, type = "float", halo = 2, at = { y = "high" } }
local wind = vector "wind" { u, v }

return spec "folded" {
  exchange "all" { t, u, v, boundary = { y = "hook" } },
  exchange "back" { t, u, v, op = "add" },
}
