local grid = cartesian { axes = "xy" }
local u = field "u" { on = grid, type = "double", halo = 1, halo_at = "behind", components = { 3, "outermost" } }
return spec "test" { exchange "e" { u, stencil = "star" } }
