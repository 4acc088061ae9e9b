-- Some fields in a box; see ../scale.c.
local count = param "fields" { default = 1, min = 1, max = 8, text = "how many" }
local grid = cartesian { axes = "xyz", periodic = "xyz" }
local all = {}
for f = 1, count do all[f] = field("u" .. f) { on = grid, type = "double", halo = 1 } end

return spec("box" .. count) { exchange "all"(all) }
