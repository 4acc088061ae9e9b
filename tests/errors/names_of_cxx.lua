-- options: --emit c,cxx
local grid = cartesian { axes = "xyz" }
local u = field "block_views" { on = grid, type = "double", halo = 2 }
return spec "test" { exchange "views" { u }, exchange "base" { u }, exchange "MPI_views" { u }, exchange "view" { u } }
