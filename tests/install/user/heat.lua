-- A temperature on a doubly periodic plane.
local layers = include "layers.lua"
local grid = cartesian { axes = "xy", fastest = "x", periodic = "xy" }
local t = field "t" { on = grid, type = "double", halo = layers }

return spec "heat" {
  exchange "temperature" { t },
}
