-- options: -D radius=9 -D depth=2.0 -D kind=round -D deep=1 -D scale=nan
local radius = param "radius" { default = 2, min = 1, max = 8 }
local depth, least = param "depth" { default = 1, min = 1 }, param "least" { default = 1, max = 1 }
local kind = param "kind" { default = "box", values = { "box", "star" } }
local deep, scale = param "deep" { default = false }, param "scale" { default = 0.5 }
local grid = cartesian { axes = "xy" }
return spec "test" { exchange "e" { field "u" { on = grid, type = "double", halo = radius + depth + least }, stencil = kind } }
