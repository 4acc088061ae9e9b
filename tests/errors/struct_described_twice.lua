local grid = cartesian { axes = "xyz" }
local cell = struct { name = "cell", header = "cell.h", size = 24, align = 8 }
local other = struct { name = "cell", header = "cells.h", size = 32, align = 8 }
local u = field "u" { on = grid, type = cell, halo = 1 }
local v = field "v" { on = grid, type = other, halo = 1 }
return spec "test" { exchange "e" { u, v } }
