-- Edges of an unstructured mesh.  Each field has levels of its own, as components; they are literals in emitted code.
local grid = index_list { axes = { "edge" } }
local label = struct { name = "cell_2", header = "particles.h", size = 6, align = 2 }

local un = field "un" { on = grid, type = "double", components = 40 }
local length = field "length" { on = grid, type = "double" }
local soil = field "soil" { on = grid, type = "float", components = { 4, "outermost" } }
local kind = field "kind" { on = grid, type = "signed char" }
local labels = field "labels" { on = grid, type = label }

return spec "edges" {
  exchange "all" { un, length, soil, kind, labels },
  exchange "sums" { un, length, soil, op = "add" },
}
