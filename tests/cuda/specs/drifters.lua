-- Points of a mesh whose numbers travel shorter than they are, with levels; copied and added.  emit.sh leaves it as it is.
local mesh = index_list { axes = { "cell", "level" }, fastest = "level" }
local t = field "t" { memory = "cuda", on = mesh, type = "double", components = 2 }
local w = field "w" { memory = "cuda", on = mesh, type = "float", at = { level = "both" } }
local n = field "n" { memory = "cuda", on = mesh, type = "int" }
local q = field "q" { memory = "cuda", on = mesh, type = "complex64" }
local land = field "land" { type = "int", on = mesh }

return spec "drifters" {
  exchange "state" { { t, wire = "half" }, { w, wire = "bfloat16" }, { n, land, wire = "int16" } },
  exchange "fluxes" { { t, wire = "float" }, { q, wire = "half" }, w, op = "add", sums = "rounded" },
}
