local grid = cartesian { axes = "xyz" }
local cell = struct { name = "copy_double", header = "cells.h", size = 8, align = 8 }
local u = field "u" { on = grid, type = cell, halo = 2 }
local v = field "v" { on = grid, type = "double", halo = 2 }
return spec "test" { exchange "e" { u, v } }
