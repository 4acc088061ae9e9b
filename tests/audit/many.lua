-- More fields than an audit notes where their arrays are others than in the last run.
local grid = cartesian { axes = "x", periodic = "x" }
local f = {}
for i = 0, 69 do
  f[i + 1] = field("f" .. i) { on = grid, type = "double", halo = 1 }
end

return spec "many" { exchange "all" (f) }
