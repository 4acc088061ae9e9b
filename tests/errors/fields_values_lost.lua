local grid = cartesian { axes = "xy" }
local function alike(...)
  return fields { ..., on = grid, type = "double", halo = 1 }
end
local u, v = alike("u", "v")
return spec "test" { exchange "e" { u } }
