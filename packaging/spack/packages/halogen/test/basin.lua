-- What the smoke test exchanges: corners, walls, two types, and points that neighbors share.
local grid = cartesian { axes = "xy", fastest = "x", periodic = "x" }
local h = field "h" { on = grid, type = "double", halo = 2 }
local depth = field "depth" { on = grid, type = "float", halo = 1 }
return spec "basin" {
  exchange "level" { h, stencil = "box" },
  exchange "bottom" { depth, h, stencil = "star", width = 1 },
}
