-- Halos so deep that what turns is turned in tiles: of words, of numbers with a sign, of 4 and 8 bytes.
local grid = cubed_sphere { axes = "xyz", horizontal = "xy", order = "xyz" }
local function on(type, halo, at) return { on = grid, type = type, halo = { x = halo, y = halo }, at = at } end
local p, w = field "p" (on("double", 9)), field "w" (on("int", 8, { z = "both" }))
local q = field "q" (on("float", 16, { x = "both", y = "both" }))
local a1, a2 = field "a1" (on("double", 8)), field "a2" (on("double", 8))
local c1, c2 = field "c1" (on("float", 9, { x = "both" })), field "c2" (on("float", 9, { y = "both" }))
local a, c = vector "a" { a1, a2 }, vector "c" { c1, c2 }

return spec "sphere_deep" {
  exchange "all" { p, w, q, a1, a2, c1, c2 },
  exchange "back_all" { p, a1, a2, c1, c2, op = "add" },
  exchange "thin_star" { p, a1, a2, width = { x = 8, y = 7 }, stencil = "star" },
}
