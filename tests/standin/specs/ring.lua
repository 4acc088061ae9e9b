-- Some tiles in a ring; see ../scale.c.
local count = param "tiles" { default = 1, min = 1, max = 8, text = "how many" }
local names, connect = {}, {}
for t = 1, count do
  names[t] = "t" .. t
  connect[t] = { "t" .. t, "+x", "t" .. t % count + 1, "-x", along = { y = "y", z = "z" } }
end
local grid = tiles { axes = "xyz", names = names, connect = connect }

return spec("ring" .. count) { exchange "all" { field "u" { on = grid, type = "double", halo = 1 } } }
