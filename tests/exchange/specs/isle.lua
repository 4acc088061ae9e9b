-- A plane with walls, for land.c: cells, faces across x, and corners.
local grid = cartesian { axes = "xy" }
local t = field "t" { on = grid, type = "double", halo = 1 }
local v = field "v" { on = grid, type = "double", at = { x = "both" } }
local w = field "w" { on = grid, type = "double", at = "both" }
return spec "isle" {
  exchange "plain" { t },
  exchange "filled" { t, boundary = "copy" },
  exchange "mirrored" { t, boundary = "antimirror" },
  exchange "added" { t, op = "add", ghosts = "keep" },
  exchange "sum" { v, w, only = "shared", agree = "sum" },
  exchange "mean" { v, w, only = "shared", agree = "mean" },
}
