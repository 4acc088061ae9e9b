-- Heat with inertia on three grids, to be stopped and started again: temperature in cells, heat flow on both faces of each.
local on = param "on" { default = "box", values = { "box", "sphere", "fold" }, text = "the grid" }
local halo = param "halo" { default = 1, min = 1, max = 3, text = "layers around the cells of a block" }

local grid = on == "box" and cartesian { axes = "xy", fastest = "x", periodic = "x" }
  or on == "sphere" and cubed_sphere { axes = "xy", fastest = "x" }
  or fold { axes = "xy", fastest = "x", side = "+y", along = "x", pivot = "corner" }

local t = field "t" { on = grid, type = "double", halo = halo }
local q = field "q" { on = grid, type = "double", at = { x = "both" } }
local r = field "r" { on = grid, type = "double", at = { y = "both" } }
vector "flow" { q, r }

return spec("heat_" .. on .. "_" .. halo) {
  exchange "heat" { t, width = 1, stencil = "star", boundary = on ~= "sphere" and "copy" or nil },
  exchange "flow" { q, r, only = "shared" },
}
