-- What the bugs of shared.c are seeded into.
local grid = cartesian { axes = "xy", fastest = "x", periodic = "x" }

local force = field "force" { on = grid, type = "double", at = "both" }
local flux = field "flux" { on = grid, type = "int32_t", at = { x = "both" }, components = 2 }

return spec "shared" {
  exchange "assemble" { force, only = "shared", agree = "sum" },
  exchange "agree" { force, flux, only = "shared" },
}
