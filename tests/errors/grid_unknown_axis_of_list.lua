local grid = cartesian { axes = { "lon", "lat", "lev" },
  periodic = { "lon", "let" } }
local u = field "u" { on = grid, type = "double", halo = 2 }
return spec "test" { exchange "e" { u } }
