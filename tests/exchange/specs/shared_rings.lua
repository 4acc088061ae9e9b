-- Points that several blocks own, in a box that wraps along two axes; see shared_grid.h for what the names of fields mean.
local grid = cartesian { axes = "xyz", periodic = "xz" }
local function on(type, at, components) return { on = grid, type = type, at = at, components = components } end
local n, c1 = field "n" (on("double", "both")), field "c1" (on("float", { x = "both" }))
local m = field "m" (on("float", { x = "both", y = "both" }, { 2, "outermost" }))
local k = field "k" (on("complex128", { z = "both" }, 3))

return spec "shared_rings" {
  exchange "greater" { n, c1, m, k, only = "shared" },
  exchange "owner" { n, c1, m, k, only = "shared", agree = "owner" },
  exchange "mean" { n, c1, m, k, only = "shared", agree = "mean" },
  exchange "sum" { n, c1, m, k, only = "shared", agree = "sum" },
  exchange "back_greater" { n, c1, m, k, only = "shared", op = "add" },
  exchange "back_owner" { n, c1, m, k, only = "shared", agree = "owner", op = "add" },
}
