-- Positions and winds on the sphere; see gnomonic.c.
local grid = cubed_sphere { axes = "xy" }
local function on(halo, at) return { on = grid, type = "double", halo = halo, at = at } end

local p1, p2, p3 = field "p1" (on(3)), field "p2" (on(3)), field "p3" (on(3))
local a1, a2 = field "a1" (on(2)), field "a2" (on(2))
local b1, b2 = field "b1" (on(2, "both")), field "b2" (on(2, "both"))
local c1, c2 = field "c1" (on(2, { x = "both" })), field "c2" (on(2, { y = "both" }))
local d1, d2 = field "d1" (on(2, { y = "both" })), field "d2" (on(2, { x = "both" }))
local a, b, c, d = vector "a" { a1, a2 }, vector "b" { b1, b2 }, vector "c" { c1, c2 }, vector "d" { d1, d2 }

return spec "gnomonic" {
  exchange "positions" { p1, p2, p3 },
  exchange "winds" { a1, a2, b1, b2, c1, c2, d1, d2 },
}
