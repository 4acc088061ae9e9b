-- Lakes without the land between them: cells that no box describes.  Layers are components, so their number is a literal
-- in emitted code; ice has none.  Both travel in one message.
local water = index_list { axes = { "cell" } }

local t = field "t" { on = water, type = "double", components = 8 }
local ice = field "ice" { on = water, type = "float" }
local neighbors = field "neighbors" { on = water, type = "int" }

return spec "lakes" {
  exchange "state" { t, ice },
  exchange "count" { neighbors, op = "add" },   -- what was counted in halos, into the cells that it was counted for
}
