-- What is added has words of 4 bytes and, with an even number of levels, of 8 or 16, which another field alone asks for.
local grid = index_list { axes = { "cell", "level" }, fastest = "level" }

local t = field "t" { on = grid, type = "double" }
local w = field "w" { on = grid, type = "float", components = 2 }

return spec "layers" {
  exchange "state" { t, w },
  exchange "fluxes" { w, op = "add" },
  exchange "least" { t, w, op = "min" },
  exchange "most" { w, op = "max" },
}
