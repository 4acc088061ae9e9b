-- Fields of two shapes: those of one become one entry of a table, which is in arguments and, where they have no room for it, in
-- memory.
local grid = cartesian { axes = "xyz", fastest = "x", periodic = "xyz" }
local function on(type, halo) return { on = grid, type = type, halo = halo } end
local a, b, c = field "a" (on("double", 2)), field "b" (on("double", 2)), field "c" (on("double", 2))
local v, w = field "v" (on("float", 1)), field "w" (on("float", 1))

return spec "alike" {
  exchange "all" { a, b, c, v, w },
  exchange "few" { c, b, a },
  exchange "star" { c, a, stencil = "star", width = 1 },
  exchange "back" { a, b, v, op = "add" },
}
