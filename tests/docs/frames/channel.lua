-- Flow in a channel: periodic along x and z, walls across y.
local grid = cartesian { axes = "xyz", fastest = "x", periodic = "xz" }

local u, v, w = fields { "u", "v", "w", on = grid, type = "double", halo = 2 }
local p = field "p" { on = grid, type = "float", halo = 1 }

return spec "channel" {
  exchange "velocity" { u, v, w, stencil = "box" },   -- faces, edges, corners
  exchange "pressure" { p, stencil = "star" },        -- faces only
}
