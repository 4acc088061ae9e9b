-- A basin and a channel that leaves it around a corner; walls where nothing is connected.
local grid = tiles {
  axes = "xyz", fastest = "z", names = { "basin", "channel", "quay" }, decomposed = "xy",
  connect = {
    { "basin", "+x", "channel", "-y", along = { y = "-x" } },
    { "basin", "+y", "quay", "-y" },
  },
}
local halo = { x = 2, y = 2, z = 1 }

local depth = field "depth" { on = grid, type = "int", halo = halo }
local level = field "level" { on = grid, type = "double", halo = { x = 1, y = 2 }, at = { z = "both" } }
local u, v = fields { "u", "v", on = grid, type = "double", halo = halo }
local wind = vector "wind" { u, v }
local p = field "p" { on = grid, type = "float", halo = halo, at = { x = "both", y = "both" } }
local q = field "q" { on = grid, type = "float", halo = halo, at = { x = "both", y = "both" } }
local spin = vector "spin" { p, q, kind = "pseudovector" }
local load = field "load" { on = grid, type = "float", halo = 1, at = { x = "both", y = "both" } }

return spec "harbor" {
  exchange "depths" { depth, boundary = "copy" },
  exchange "levels" { level, stencil = "star", boundary = { x = "mirror", y = { lo = "hook" } } },
  exchange "winds" { u, v, p, q, boundary = { x = "mirror", y = { lo = "mirror", hi = "antimirror" }, z = { lo = "zero", hi = "mirror" } } },
  exchange "waves" { u, v, width = 1, boundary = { x = "hook", y = "zero" } },
  exchange "loads" { load, op = "add" },
  exchange "thrown" { { u, v, wire = "half" }, { load, wire = "bfloat16" }, op = "add", sums = "rounded" },
  exchange "deepest" { depth, load, level, op = "max" },
  exchange "kept" { u, v, depth, op = "add", ghosts = "keep", stencil = "star" },
}
