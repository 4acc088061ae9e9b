-- Points of a mesh with levels: of several kinds, copied and added up.
local mesh = index_list { axes = { "cell", "level" }, fastest = "level" }
local t = field "t" { on = mesh, type = "double", components = 2 }
local w = field "w" { on = mesh, type = "float", at = { level = "both" } }
local wet = field "wet" { on = mesh, type = "bool" }
local flux = field "flux" { on = mesh, type = "complex64" }
return spec "mesh" {
  exchange "state" { t, w, wet },
  exchange "back" { flux, t, op = "add" },
  exchange "near" { { t, wire = "float" }, { flux, wire = "half" }, op = "add", sums = "rounded" },
  exchange "most" { wet, t, op = "max" },
  exchange "kept" { flux, op = "add", ghosts = "keep" },
}
