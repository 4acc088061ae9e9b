-- The same without directions, to see what they save: all 19 populations travel everywhere.
local grid = cartesian { axes = "xyz", fastest = "x", periodic = "xyz" }

local f = field "f" { on = grid, type = "double", halo = 1, components = 19 }

return spec "lbm_all" { exchange "populations" { f } }
