-- Two tiles that may differ in length, and a side by which both end; points on faces and edges, and components.
local grid = tiles { axes = "xyz", order = "yzx", decomposed = "xy", names = { "a", "b" }, connect = { { "a", "+x", "b", "-x" } } }
local function on(type, halo, at, components) return { on = grid, type = type, halo = halo, at = at, components = components } end
local a = field "a" (on("double", 1))
local b = field "b" (on("float", { x = 1 }, { x = "both", y = "both" }, { 2, after = "z" }))
local c = field "c" (on("half", 0, { x = "both", y = "both", z = "both" }, 3))
local d = field "d" (on("bool", { y = 2 }, { y = "high" }))

return spec "unequal" {
  exchange "cells" { a, d },
  exchange "faces" { b, c, only = "shared" },
}
