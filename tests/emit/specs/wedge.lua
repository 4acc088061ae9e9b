-- Three tiles around a corner: points on their sides, which two or three of them have, made to agree by each rule, and added up;
-- halos whose corners, where a fourth tile would be, are filled from beside them.
local grid = tiles {
  axes = "xy", names = { "west", "east", "north" },
  connect = {
    { "west", "+x", "east", "-x" },
    { "west", "+y", "north", "-y" },
    { "east", "+y", "north", "+x", along = { x = "y" } },
  },
}
local function on(halo, at) return { on = grid, type = "double", halo = halo, at = at } end
local q = field "q" (on(1))
local vorticity = field "vorticity" (on(0, "both"))
local u, v = field "u" (on(2, { y = "both" })), field "v" (on(2, { x = "both" }))
local wind = vector "wind" { u, v }

return spec "wedge" {
  exchange "agree" { vorticity, u, v, only = "shared" },
  exchange "owned" { vorticity, only = "shared", agree = "owner" },
  exchange "means" { vorticity, u, v, only = "shared", agree = "mean" },
  exchange "totals" { vorticity, u, v, only = "shared", agree = "sum" },
  exchange "sums" { vorticity, op = "add", only = "shared" },
  exchange "halos" { q, u, v, corners = { "x", "y" } },
}
