local grid = cartesian { axes = "xyz", periodic = "xyz" }
local u = field "u" { on = grid, type = "double", halo = 4 }
local state = exchange "state" { u }
return spec "heat" {
  state,
  cycle "advance" {
    exchange = state,
    step "diffuse" { reads = { u = 1 }, writes = { "u" }, stencil = "star" },
  },
}
