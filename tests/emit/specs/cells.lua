-- Cells of an unstructured mesh: levels are the faster axis or the slower one, as many as the program says.
local grid = index_list { axes = { "cell", "level" }, fastest = "level" }

local t, s = fields { "t", "s", on = grid, type = "double" }
local w = field "w" { on = grid, type = "float", at = { level = "both" } }
local flags = field "flags" { on = grid, type = "int", order = { "cell", "level" }, components = 3 }
local tracers = field "tracers" { on = grid, type = "float", order = { "cell", "level" }, components = { 2, "outermost" } }

return spec "cells" {
  exchange "state" { t, w, flags, tracers },
  exchange "salt" { s },
  exchange "fluxes" { t, flags, tracers, op = "add" },
}
