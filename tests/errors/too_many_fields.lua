local grid = cartesian { axes = "xyz" }
local list = {}
for i = 1, 1001 do
  list[i] = field("u" .. i) { on = grid, type = "double", halo = 1 }
end
return spec "test" { exchange "e" { table.unpack(list) } }
