-- Two fields that hand their values on to each other, step after step, on a torus.
local grid = cartesian { axes = "xyz", fastest = "z", periodic = "xyz" }
local u, v = fields { "u", "v", on = grid, type = "double", halo = 1 }

return spec "relay" { exchange "out" { u }, exchange "home" { v } }
