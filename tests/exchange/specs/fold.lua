-- An ocean around the globe: x closes on itself, and the northern side is folded in the middle and sewn up, so that who
-- sails on north comes back south on the other side.  The fold pivots on corners of cells.
local grid = tiles {
  axes = "xy", names = { "ocean" },
  connect = {
    { "ocean", "+x", "ocean", "-x" },
    { "ocean", "+y", "ocean", "+y", along = { x = "-x" } },
  },
}

local function on(type, halo, at) return { on = grid, type = type, halo = halo, at = at } end
local p, q = field "p" (on("double", 2)), field "q" (on("float", 1, "both"))
local a1, a2 = field "a1" (on("int", 2)), field "a2" (on("int", 2))
local c1, c2 = field "c1" (on("double", 1, { x = "both" })), field "c2" (on("double", 1, { y = "both" }))
local d1, d2 = field "d1" (on("float", 2, { y = "both" })), field "d2" (on("float", 2, { x = "both" }))
local a, c, d = vector "a" { a1, a2 }, vector "c" { c1, c2 }, vector "d" { d1, d2 }

return spec "fold" {
  exchange "scalars" { p, q },
  exchange "back_scalars" { p, q, op = "add" },
  exchange "winds" { a1, a2, c1, c2, d1, d2 },
  exchange "back_winds" { a1, a2, c1, c2, d1, d2, op = "add" },
  exchange "keep_scalars" { p, q, op = "add", ghosts = "keep" },
  exchange "keep_winds" { a1, a2, c1, c2, d1, d2, op = "add", ghosts = "keep" },
  exchange "least_scalars" { p, q, op = "min" },
  exchange "most_scalars" { p, q, op = "max" },
  exchange "star" { p, d1, d2, width = 1, stencil = "star" },
}
