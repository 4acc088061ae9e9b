-- options: --emit c,python
local grid = cartesian { axes = "xy", periodic = "xy" }
local u = field "u" { on = grid, type = "double", halo = 1 }
local state = exchange "state" { u }
return spec "heat" { state, cycle "cells" { exchange = state, step "diffuse" { reads = { u = 1 }, writes = { "u" } } } }
