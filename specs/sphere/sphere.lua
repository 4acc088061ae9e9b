-- Shallow water on a rotating sphere: six tiles, their cells cut by great circles.
local grid = cubed_sphere { axes = "xy", fastest = "x" }

local function of_cells(components)
  return { on = grid, type = "double", halo = 1, components = components }
end

-- Momentum is kept along three axes in space, and so are slopes: they are the same on all tiles, and nothing turns.
local q = field "q" (of_cells(4)) -- the height of the surface, and momentum
local slope = field "slope" (of_cells(12)) -- of each of them, in space
local place = field "place" (of_cells(3))

-- Wind along the axes of the tile does turn: what one tile has along x, a neighbor may want along -y.
local u = field "u" { on = grid, type = "double", halo = { y = 1 }, at = { x = "both" } }
local v = field "v" { on = grid, type = "double", halo = { x = 1 }, at = { y = "both" } }
vector "wind" { u, v }

return spec "sphere" {
  exchange "state" { q, stencil = "star" },
  exchange "slopes" { slope, stencil = "star" },
  exchange "places" { place, stencil = "box" },
  exchange "winds" { u, v, stencil = "star" },
}
