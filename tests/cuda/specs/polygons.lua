-- A mesh whose state lies on a device: levels are the fastest axis, so that each cell is a piece of memory.  What the host alone
-- knows of a cell travels in the same messages; emit.sh leaves it as it is.
local grid = index_list { axes = { "cell", "level" }, fastest = "level", cells = { level = 6 } }
local t, qv = fields { "t", "qv", memory = "cuda", on = grid, type = "double" }
local w = field "w" { memory = "cuda", on = grid, type = "float", at = { level = "both" } }
local land = field "land" { type = "int", on = grid, components = 2 }
return spec "polygons" {
  exchange "state" { t, qv, w, land },
  exchange "fluxes" { land, qv, w, op = "add" },
  exchange "host" { land },
}
